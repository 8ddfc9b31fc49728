#include "isa/aarch64/derive/derive.h"
#include <stdio.h>
#include <time.h>
int main(void){ptl_derivation d;char m[200];clock_t t=clock();if(!ptl_derive(&d,m,200)){fprintf(stderr,"FAIL %s\n",m);}
fprintf(stderr,"%u forms %u decoded %.3f s\n",d.count,d.decoded,(double)(clock()-t)/CLOCKS_PER_SEC);
for(unsigned k=0;k<d.count;k++)printf("%08x %08x %08x %s\n",d.forms[k].form.mask,d.forms[k].form.value,d.forms[k].word,d.forms[k].name);}
