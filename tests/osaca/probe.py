"""What OSACA makes of single instructions: `PYTHONPATH=OSACA probe.py MODEL.yml <lines of assembler text` (of x86 in AT&T syntax).

For each line one line: its pressure as `PORT=CYCLES ...` in the model's order of ports, `unknown` if OSACA has no data for it,
`crash` and the error if OSACA dies of it.
"""

import copy
import sys

from osaca.parser import get_parser
from osaca.semantics import INSTR_FLAGS, ArchSemantics, MachineModel

model = MachineModel(path_to_yaml=sys.argv[1])
parser = get_parser(model.get_ISA())
# Forms with a mask would answer for all: OSACA does not tell them from those without.
for name, forms in model["instruction_forms_dict"].items():
    model["instruction_forms_dict"][name] = [
        form for form in forms if not any(getattr(operand, "mask", False) for operand in form.operands)
    ]
semantics = ArchSemantics(parser, model)
# OSACA appends the uops of stores to the lists of the model; every line is to find it as it was written.
loads = copy.deepcopy(model["load_throughput"])


def answer(line):
    model._data["load_throughput"] = copy.deepcopy(loads)
    kernel = [parser.parse_line(line, 1)]
    semantics.normalize_instruction_forms(kernel)
    semantics.add_semantics(kernel)
    if INSTR_FLAGS.TP_UNKWN in kernel[0].flags:
        return "unknown"
    pairs = zip(model.get_ports(), kernel[0].port_pressure)
    return " ".join("%s=%.6g" % pair for pair in pairs if pair[1] != 0) or "none"


for text in sys.stdin:
    try:
        print(answer(text.rstrip("\n")))
    except Exception as error:  # whatever it is, it is the answer
        print("crash", type(error).__name__, " ".join(str(error).split())[:200])
