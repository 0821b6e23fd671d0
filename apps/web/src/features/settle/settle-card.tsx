import { useState, type FormEvent, type ReactNode } from 'react'
import type { Client, Output } from '@ergon/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Button } from '../../components/button.tsx'
import { Failure } from '../../components/failure.tsx'
import { TextField } from '../../components/field.tsx'
import { Card, Note } from '../../components/surface.tsx'
import { useToast } from '../../components/toast.tsx'
import { asChange, type Change } from '../../lib/change.ts'
import { useFormat } from '../../lib/format.ts'
import { useDraft, type FieldFaults } from '../../lib/form.ts'
import { useMessages, useSpeech } from '../../lib/i18n.tsx'
import { answerKey, useChange, useFinding, useRead } from '../../lib/market.tsx'
import { showIn } from '../../lib/show-faults.ts'
import { useFaultTexts } from '../../lib/use-fault-texts.ts'
import type { Intent } from '../../wallet/signing.ts'
import { useWallet } from '../../wallet/wallet.tsx'
import { settleMessages } from './messages.ts'
import { noOffer, offerDraft } from './offer-draft.ts'
import { NotWhatWasShown, signOffer, signPayments } from './sign-offer.ts'
import { typedOffer } from './typed-offer.ts'

type Side = 'publisher' | 'worker'
type Offer = Output<'offers.list'>['offers'][number]

/** What is read anew once an offer was made, answered or closed. */
const stale = ['offers.list', 'disputes.get', 'disputes.list', 'tasks.get', 'h2a.get', 'events.list'] as const

type SettleProps = {
  readonly taskId: string
  readonly side: Side
  /** What there is to divide. */
  readonly disputedUsd: number
}

/** Dividing the money between the two sides: offer, accept, refuse (decision 0167). */
export function SettleCard({ taskId, side, disputedUsd }: SettleProps): ReactNode {
  const say = useMessages(settleMessages)
  const { data, error } = useRead('offers.list', { task_id: taskId })
  const open = data?.offers.filter(({ status }) => status === 'open') ?? []
  const isMoving = data?.offers.some(({ status }) => status === 'accepted') === true
  return (
    <Card as="section" className="grid gap-4">
      <h2>{say('title')}</h2>
      <p className="text-quiet">{say('lead')}</p>
      {isMoving && <Note tone="warn" role="status" title={say('moving')} />}
      {!isMoving && open.map((offer) => <OpenOffer key={offer.id} offer={offer} side={side} />)}
      {error !== null && <Failure error={error} />}
      {data !== undefined && !isMoving && <NewOffer taskId={taskId} side={side} disputedUsd={disputedUsd} />}
    </Card>
  )
}

function OpenOffer({ offer, side }: { readonly offer: Offer; readonly side: Side }): ReactNode {
  const say = useMessages(settleMessages)
  const format = useFormat()
  const tell = useToast()
  const close = useChange('offers.close', stale)
  const worker = format.usd(offer.worker_amount_usd)
  const payer = format.usd(offer.payer_amount_usd)
  const isOwn = offer.by === side
  const accept = useSigned({
    title: say('signsAccept', { worker }),
    explanation: say('says', { worker, payer }),
    amountUsd: offer.worker_amount_usd,
    mostLostUsd: side === 'worker' ? offer.payer_amount_usd : offer.worker_amount_usd,
  })
  return (
    <div className="grid gap-3 rounded-lg border border-line p-3">
      <h3>{say(isOwn ? 'yours' : 'theirs')}</h3>
      <p className="numbers">{say('division', { worker, payer })}</p>
      {offer.note !== null && <p className="wrap-anywhere">{offer.note}</p>}
      <p className="text-sm text-quiet">{say('until', { when: format.dateTime(offer.expires_at) })}</p>
      {(accept.error ?? close.error) !== null && <Problem error={accept.error ?? close.error} />}
      <div className="flex flex-wrap gap-2">
        {!isOwn && (
          <Button
            kind="primary"
            busy={accept.isPending}
            onClick={() => {
              accept.mutate((client) => acceptWith(client, offer), { onSuccess: () => tell(say('accepted')) })
            }}
          >
            {say('accept')}
          </Button>
        )}
        <Button
          busy={close.isPending}
          onClick={() => {
            close.mutate({ offer_id: offer.id }, { onSuccess: () => tell(say('closed')) })
          }}
        >
          {say(isOwn ? 'withdraw' : 'refuse')}
        </Button>
      </div>
    </div>
  )
}

async function acceptWith(client: Client, { id, worker_amount_usd }: Offer): Promise<unknown> {
  const { signer } = client
  if (signer === undefined) throw new TypeError('no wallet')
  const { data } = await client.call('offers.acceptChallenge', { offer_id: id })
  const signature = await signOffer(signer, data.typed_data, worker_amount_usd)
  return client.call('offers.accept', { offer_id: id, signature, ...(await signPayments(signer, data)) })
}

function NewOffer({ taskId, side, disputedUsd }: SettleProps): ReactNode {
  const say = useMessages(settleMessages)
  const format = useFormat()
  const tell = useToast()
  const { locale } = useSpeech()
  const [{ share }, change, forget] = useDraft(offerDraft(taskId), noOffer)
  const [faults, setFaults] = useState<FieldFaults>({})
  const faultOf = useFaultTexts(faults)
  const read = typedOffer(taskId, share, locale)
  const amount = 'offer' in read ? read.offer.worker_amount_usd : 0
  const worker = format.usd(amount)
  const offer = useSigned({
    title: say('signsOffer', { worker }),
    amountUsd: amount,
    // Whoever works gives up the rest.
    mostLostUsd: side === 'worker' ? Math.max(0, withoutDust(disputedUsd - amount)) : amount,
  })
  const send = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    showIn(event.currentTarget, setFaults)('faults' in read ? read.faults : {})
    if ('faults' in read) return
    offer.mutate((client) => offerWith(client, taskId, amount), {
      onSuccess: () => {
        forget()
        tell(say('offered'))
      },
    })
  }
  return (
    <form noValidate onSubmit={send} className="grid gap-3">
      <TextField
        label={say('share')}
        hint={say('shareHelp')}
        inputMode="decimal"
        required
        value={share}
        onChange={(event) => {
          change({ share: event.target.value })
        }}
        error={faultOf('worker_amount_usd')}
      />
      {offer.error !== null && <Problem error={offer.error} />}
      <div>
        <Button type="submit" busy={offer.isPending}>
          {say('offer')}
        </Button>
      </div>
    </form>
  )
}

/** A difference of two amounts of a token, without what binary fractions leave behind it. */
const withoutDust = (usd: number): number => Math.round(usd * 1e6) / 1e6

async function offerWith(client: Client, taskId: string, workerUsd: number): Promise<unknown> {
  const { signer } = client
  if (signer === undefined) throw new TypeError('no wallet')
  const { data } = await client.call('offers.challenge', { task_id: taskId, worker_amount_usd: workerUsd })
  const signature = await signOffer(signer, data.typed_data, workerUsd)
  return client.call('offers.propose', {
    task_id: taskId,
    worker_amount_usd: workerUsd,
    expires_at: data.expires_at,
    nonce: data.nonce,
    signature,
    ...(await signPayments(signer, data)),
  })
}

type Signed = (client: Client) => Promise<unknown>

/** Something that the wallet signs, explained before it opens; who leaves meanwhile keeps no draft of it. */
function useSigned(intent: Intent): Change<Signed, unknown> {
  const { act } = useWallet()
  const queries = useQueryClient()
  const mutation = useMutation<unknown, Error, Signed>({
    mutationFn: (what) => act(intent, what),
    onSettled: () => {
      for (const read of stale) void queries.invalidateQueries({ queryKey: answerKey(read) })
    },
  })
  return asChange(mutation, useFinding(stale))
}

function Problem({ error }: { readonly error: Error | null }): ReactNode {
  const say = useMessages(settleMessages)
  if (error instanceof NotWhatWasShown) return <Note tone="bad" role="alert" title={say('notThat')} />
  return error === null ? null : <Failure error={error} />
}
