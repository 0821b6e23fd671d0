import { createWalletSheet } from './wallet-sheet.ts'

/** The one place of this page where the wallet asks. */
export const walletSheet = createWalletSheet()
