import { useState } from 'react'
import type { Client, Input } from '@ergon/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { useToast } from '../../components/toast.tsx'
import { useMessages } from '../../lib/i18n.tsx'
import { answerKey } from '../../lib/market.tsx'
import { useWallet } from '../../wallet/wallet.tsx'
import { listingMessages } from './messages.ts'

export type Manage = {
  readonly create: (title: string, fields: Input<'listings.create'>, done: () => void) => void
  readonly update: (title: string, fields: Input<'listings.update'>, done: () => void) => void
  /** Which listing is being changed; `new` for one that is being made. */
  readonly busy: string | undefined
  readonly error: unknown
}

/** What a seller does with listings; no session opens these, so the wallet signs each request. */
export function useManageListings(): Manage {
  const say = useMessages(listingMessages)
  const tell = useToast()
  const queries = useQueryClient()
  const { actSigned } = useWallet()
  const [busy, setBusy] = useState<string>()
  const [error, setError] = useState<unknown>()
  const sign = (
    title: string,
    about: string,
    what: (client: Client) => Promise<unknown>,
    said: string,
    done: () => void,
  ): void => {
    setBusy(about)
    setError(undefined)
    actSigned({ title, explanation: say('signSays'), mostLostUsd: 0 }, what)
      .then(() => {
        tell(said)
        done()
      })
      .catch(setError)
      .finally(() => {
        setBusy(undefined)
        for (const read of ['listings.mine', 'listings.browse', 'listings.get'] as const)
          void queries.invalidateQueries({ queryKey: answerKey(read) })
      })
  }
  return {
    busy,
    error,
    create: (title, fields, done) => {
      sign(title, 'new', (client) => client.listings.create(fields), say('created'), done)
    },
    update: (title, fields, done) => {
      sign(title, fields.listing_id, (client) => client.listings.update(fields), say('saved'), done)
    },
  }
}
