/**
 * Locks that a wallet may begin in a day on the instance that the program starts: few, so that trying them all is
 * quick.
 */
export const paymentsPerWallet = 24
