import { useEffect, useState } from 'react'
import { hearWallet } from '../wallet/hear-wallet.ts'
import type { SigningRequest } from '../wallet/signing.ts'
import { isDeclined } from '../wallet/declined.ts'
import { WalletFailed } from '../wallet/wallet-failed.ts'
import { chainOf, readChainId, switchChain } from '../wallet/wallet-chain.ts'

/**
 * The chain that the wallet has to go to before it signs; undefined when it is there, does not say, or any chain does.
 */
export type NeededChain = {
  readonly needed: number | undefined
  readonly busy: boolean
  /** `declined`, or what the wallet says. */
  readonly failure: string | undefined
  readonly change: () => void
}

/** Follows the wallet from chain to chain while a signature waits: wallets sign documents of their own chain alone. */
export function useNeededChain({ subject, provider }: SigningRequest): NeededChain {
  const wanted = subject.kind === 'document' ? subject.document.domain.chainId : undefined
  const [current, setCurrent] = useState<number>()
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string>()
  useEffect(() => {
    if (provider === undefined || wanted === undefined) return
    let isOver = false
    const hear = (id: number | undefined): void => {
      if (!isOver) setCurrent(id)
    }
    void chainOf(provider).then(hear)
    const end = hearWallet(provider, 'chainChanged', (said) => {
      hear(readChainId(said))
    })
    return () => {
      isOver = true
      end()
    }
  }, [provider, wanted])
  const needed = wanted === undefined || current === undefined || current === wanted ? undefined : wanted
  const change = (): void => {
    if (provider === undefined || wanted === undefined) return
    setBusy(true)
    setFailure(undefined)
    switchChain(provider, wanted)
      .then(
        async () => {
          setCurrent(await chainOf(provider))
        },
        (cause: unknown) => {
          setFailure(isDeclined(cause) ? 'declined' : new WalletFailed(cause).reason)
        },
      )
      .finally(() => {
        setBusy(false)
      })
  }
  return { needed, busy, failure, change }
}
