import type { SolanaLedger } from '@ergon/channels'

/** What an opening has to name, both read at once. */
export type Recent = { readonly blockhash: string; readonly slot: bigint; readonly lastValidBlockHeight: bigint }

const freshMs = 2_000

/**
 * Keeps the ledger's newest blockhash for a moment: a flood of questions asks it once. Undefined while the ledger does
 * not answer.
 */
export function createRecent(ledger: Pick<SolanaLedger, 'blockhash' | 'slot'>): () => Promise<Recent | undefined> {
  let kept: { readonly recent: Recent; readonly at: number } | undefined
  let asking: Promise<Recent | undefined> | undefined
  const ask = async (): Promise<Recent | undefined> => {
    try {
      const [slot, { blockhash, lastValidBlockHeight }] = await Promise.all([ledger.slot(), ledger.blockhash()])
      kept = { recent: { blockhash, slot, lastValidBlockHeight }, at: performance.now() }
      return kept.recent
    } catch {
      return undefined
    } finally {
      asking = undefined
    }
  }
  return () => {
    if (kept !== undefined && performance.now() - kept.at < freshMs) return Promise.resolve(kept.recent)
    asking ??= ask()
    return asking
  }
}
