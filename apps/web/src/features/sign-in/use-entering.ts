import { useState } from 'react'
import type { Output } from '@ergon/sdk'
import { useMessages } from '../../lib/i18n.tsx'
import type { DiscoveredWallet } from '../../wallet/discovery.ts'
import { useWallet } from '../../wallet/wallet.tsx'
import { signInMessages } from './messages.ts'

type Entering = {
  readonly enter: (wallet: DiscoveredWallet) => void
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
  const [error, setError] = useState<unknown>()
  const [busy, setBusy] = useState<string>()
  const enter = (wallet: DiscoveredWallet): void => {
    setBusy(wallet.uuid)
    setError(undefined)
    signIn(wallet, { title: say('intent', { host: location.host }), explanation: say('explains'), mostLostUsd: 0 })
      .then((opened) => onIn(opened, wallet))
      .catch(setError)
      .finally(() => {
        setBusy(undefined)
      })
  }
  return { enter, busy, error }
}
