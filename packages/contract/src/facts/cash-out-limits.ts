/** Whole dollars: less is not worth its gas (decision 0249). */
export const cashOutMinUsd = 1
