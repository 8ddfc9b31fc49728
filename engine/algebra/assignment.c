#include "algebra/assignment.h"

#include <math.h>
#include <stdbool.h>

/* Index 0 of rows and columns is a virtual one, from which each search starts. rows <= columns. */
typedef struct state {
    const double* cost;
    unsigned rows, columns;
    unsigned row_step, column_step; /* of an entry in cost: they exchange roles in a transposed problem */
    double row_potential[PTL_ASSIGNMENT_MAX + 1], column_potential[PTL_ASSIGNMENT_MAX + 1];
    unsigned row_of[PTL_ASSIGNMENT_MAX + 1]; /* per column; 0: free */
} state;

static double reduced(const state* s, unsigned row, unsigned column) {
    return s->cost[(row - 1) * s->row_step + (column - 1) * s->column_step] - s->row_potential[row] -
           s->column_potential[column];
}

/* Dijkstra over columns, by reduced costs, from the row that enters to a free column; then the exchanges
 * along the path. Potentials stay feasible: no reduced cost is negative, those of the assigned pairs are
 * zero. */
static void enter(state* s, unsigned row) {
    double distance[PTL_ASSIGNMENT_MAX + 1];
    unsigned before[PTL_ASSIGNMENT_MAX + 1] = {0}, column = 0;
    bool done[PTL_ASSIGNMENT_MAX + 1] = {false};
    for (unsigned j = 0; j <= s->columns; j++) distance[j] = INFINITY;
    s->row_of[0] = row;
    do {
        done[column] = true;
        unsigned nearest = 0;
        double step = INFINITY;
        for (unsigned j = 1; j <= s->columns; j++) {
            if (done[j]) continue;
            double d = reduced(s, s->row_of[column], j);
            if (d < distance[j]) distance[j] = d, before[j] = column;
            if (distance[j] < step) step = distance[j], nearest = j;
        }
        for (unsigned j = 0; j <= s->columns; j++) {
            if (done[j])
                s->row_potential[s->row_of[j]] += step, s->column_potential[j] -= step;
            else
                distance[j] -= step;
        }
        column = nearest;
    } while (s->row_of[column]);
    for (; column; column = before[column]) s->row_of[column] = s->row_of[before[column]];
}

double ptl_assignment(const double* cost, unsigned rows, unsigned columns, int* to) {
    bool wide = rows <= columns;
    state s = {.cost = cost,
               .rows = wide ? rows : columns,
               .columns = wide ? columns : rows,
               .row_step = wide ? columns : 1,
               .column_step = wide ? 1 : columns};
    for (unsigned i = 1; i <= s.rows; i++) enter(&s, i);
    double total = 0;
    for (unsigned i = 0; i < rows; i++) to[i] = PTL_UNASSIGNED;
    for (unsigned j = 1; j <= s.columns; j++) {
        if (!s.row_of[j]) continue;
        unsigned row = wide ? s.row_of[j] - 1 : j - 1, column = wide ? j - 1 : s.row_of[j] - 1;
        to[row] = (int)column;
        total += cost[row * columns + column];
    }
    return total;
}
