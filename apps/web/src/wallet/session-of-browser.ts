import { useEffect } from 'react'
import { useQueryClient } from '@tanstack/react-query'
import { forgetTyped } from '../lib/draft-owner.ts'
import { hearKeptWallet } from '../lib/kept-wallet.ts'
import { useSignInDesk } from '../lib/signing-in-again.tsx'

/**
 * The tabs of a browser have one session. Where another person signs in in one of them, the others become that
 * person's: nothing that was typed or about to be signed before is sent in their name.
 */
export function useFollowingTabs(refuse: () => void): void {
  const queries = useQueryClient()
  const { last, remember } = useSignInDesk()
  useEffect(
    () =>
      hearKeptWallet((wallet) => {
        const who = last()
        if (wallet === null || wallet === who?.wallet) return
        // What a visitor typed becomes theirs.
        if (who === null) return void queries.invalidateQueries()
        refuse()
        remember(null)
        forgetTyped()
        queries.removeQueries({ type: 'inactive' })
        return void queries.resetQueries()
      }),
    [queries, last, remember, refuse],
  )
}
