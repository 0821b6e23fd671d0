import { useEffect, useRef, useState } from 'react'
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
  /** Waits no longer for a wallet that does not answer; what it answers later is not heard. */
  readonly giveUp: () => void
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
  const asking = useRef<AbortController>(undefined)
  const giveUp = (): void => {
    asking.current?.abort()
    setBusy(undefined)
  }
  useEffect(() => () => asking.current?.abort(), [])
  const enter: Enter = (wallet, newHere) => {
    // One at a time: what the one before answers is not heard any more.
    giveUp()
    const own = new AbortController()
    asking.current = own
    setBusy(wallet.uuid)
    setError(undefined)
    const intent = {
      title: say('intent', { host: location.host }),
      explanation: say('explains'),
      mostLostUsd: 0,
      ...(newHere === undefined ? {} : { isExplained: true as const }),
    }
    signIn(wallet, intent, own.signal)
      .then(async (opened) => {
        // A name that the service does not take now can be given on the profile at any time.
        if (newHere !== undefined) await market.workers.register({ name: newHere.name }).catch(() => undefined)
        await onIn(opened, wallet)
      })
      .catch((why: unknown) => {
        if (!own.signal.aborted) setError(why)
      })
      .finally(() => {
        if (asking.current === own) setBusy(undefined)
      })
  }
  return { enter, busy, giveUp, error }
}
