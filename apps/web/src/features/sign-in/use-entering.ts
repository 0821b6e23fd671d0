import { useState } from 'react'
import type { Output } from '@ergon/sdk'
import { useMessages } from '../../lib/i18n.tsx'
import { useMarket } from '../../lib/market.tsx'
import type { DiscoveredWallet } from '../../wallet/discovery.ts'
import { useWallet } from '../../wallet/wallet.tsx'
import { signInMessages } from './messages.ts'

/** What a new wallet brings with it: its person's name, and that its screen has said what signing in is. */
export type NewHere = { readonly name: string }
export type Enter = (wallet: DiscoveredWallet, newHere?: NewHere) => void

type Entering = {
  readonly enter: Enter
  /** The wallet that is asked now. */
  readonly busy: string | undefined
  readonly error: unknown
}

/** Signs in with a wallet that is chosen from a list; the screen says what happens then. */
export function useEntering(
  onIn: (opened: Output<'auth.openSession'>, wallet: DiscoveredWallet) => void | Promise<void>,
): Entering {
  const say = useMessages(signInMessages)
  const { signIn } = useWallet()
  const market = useMarket()
  const [error, setError] = useState<unknown>()
  const [busy, setBusy] = useState<string>()
  const enter: Enter = (wallet, newHere) => {
    setBusy(wallet.uuid)
    setError(undefined)
    signIn(wallet, {
      title: say('intent', { host: location.host }),
      explanation: say('explains'),
      mostLostUsd: 0,
      ...(newHere === undefined ? {} : { isExplained: true as const }),
    })
      .then(async (opened) => {
        // A name that the service does not take now can be given on the profile at any time.
        if (newHere !== undefined) await market.workers.register({ name: newHere.name }).catch(() => undefined)
        await onIn(opened, wallet)
      })
      .catch(setError)
      .finally(() => {
        setBusy(undefined)
      })
  }
  return { enter, busy, error }
}
