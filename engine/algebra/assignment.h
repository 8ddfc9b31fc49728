/* The assignment problem: rows to columns, each at most once, as many as possible, at the least total cost.
 */
#ifndef PTL_ALGEBRA_ASSIGNMENT_H
#define PTL_ALGEBRA_ASSIGNMENT_H

#define PTL_ASSIGNMENT_MAX 64
#define PTL_UNASSIGNED (-1)

/* cost[row * columns + column], finite. Fills to[row] with a column, or PTL_UNASSIGNED for the rows that are
 * left over where there are more rows than columns, and returns the total cost. At most PTL_ASSIGNMENT_MAX
 * rows and columns. The Hungarian algorithm with potentials, O(n^3): rows enter one after the other, each
 * along a cheapest path of exchanges (Kuhn 1955; the form with potentials is that of Jonker and Volgenant
 * 1987). The same costs give the same assignment. */
double ptl_assignment(const double* cost, unsigned rows, unsigned columns, int* to);

#endif
