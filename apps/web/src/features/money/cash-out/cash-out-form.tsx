import { useId, useState, type ReactNode } from 'react'
import { ErgonError, type Output } from '@ergon/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Button } from '../../../components/button.tsx'
import { Failure } from '../../../components/failure.tsx'
import { TextField } from '../../../components/field.tsx'
import { useNetworkTitle } from '../../../components/network-title.ts'
import { Note } from '../../../components/surface.tsx'
import { useFormat } from '../../../lib/format.ts'
import { useMessages, useSpeech } from '../../../lib/i18n.tsx'
import { answerKey } from '../../../lib/market.tsx'
import { dollarsTyped, typedNumber } from '../../../lib/number-typed.ts'
import { shortAddress } from '../../../lib/short-address.ts'
import { focusFault } from '../../../lib/show-faults.ts'
import { keepDraft, useDraft } from '../../../lib/use-draft.ts'
import { useWallet } from '../../../wallet/wallet.tsx'
import { cashOutMessages } from './cash-out-messages.ts'
import { CashOutReceipt } from './cash-out-receipt.tsx'
import { addressFault } from './typed-address.ts'

type FormProps = {
  readonly wallet: string
  readonly network: string
  readonly token: string
  /** In dollars: what may be sent, and is there. */
  readonly most: number
  /** What the service last answered about the ones before, this one among them once it is begun. */
  readonly earlier: Output<'cashOuts.list'>['cash_outs']
  readonly onSend: () => void
  /** The receipt was read, or nothing was sent. */
  readonly onMore: () => void
}

const least = 1
/** `ref`: the same words under it are one cash-out, also from another tab that opened the same draft. */
const untouched = { to: '', amount: '', ref: '' }

/** Address and amount, the trial of a dollar, and what became of it. */
export function CashOutForm(props: FormProps): ReactNode {
  const say = useMessages(cashOutMessages)
  const format = useFormat()
  const { locale } = useSpeech()
  const held = { token: props.token, network: useNetworkTitle()(props.network) }
  const name = `cash-out.${props.network}.${props.token}`
  const [{ to, amount, ref }, keep, forget] = useDraft(name, untouched)
  const change = (part: { to?: string; amount?: string }): void => keep({ ref: ref || crypto.randomUUID(), ...part })
  const [isAsked, ask] = useState(false)
  const send = useSend(props, name, forget)
  const usd = dollarsTyped(amount, locale)
  const fault = addressFault(to, props.wallet)
  // A finer amount than the token has would be sent as another than the one that is read here.
  const isAmount = typeof usd === 'number' && usd >= least && usd <= props.most && Number(usd.toFixed(6)) === usd
  if (send.data !== undefined)
    return (
      <CashOutReceipt
        cashOut={props.earlier.find(({ nonce }) => nonce === send.data.nonce) ?? send.data}
        onMore={() => {
          // The rest often goes where the first dollar went.
          change({ to: send.variables?.to ?? '' })
          ask(false)
          send.reset()
          props.onMore()
        }}
      />
    )
  return (
    <form
      className="grid gap-5"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        ask(true)
        if (fault !== null || !isAmount) focusFault(event.currentTarget)
        else if (!send.isPending) send.mutate({ to: to.trim(), usd, ref })
      }}
    >
      <div className="grid gap-1.5">
        <p className="text-quiet">{say('says', held)}</p>
        <p className="font-label">{say('upTo', { amount: format.usd(props.most) })}</p>
      </div>
      <TextField
        label={say('to')}
        hint={fault === null ? <Whole address={to.trim()} /> : say('toHint')}
        error={(isAsked || to.trim().length >= 42) && fault !== null ? say(fault) : undefined}
        value={to}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        className="font-mono text-sm"
        placeholder="0x"
        onChange={({ target }) => {
          change({ to: target.value })
        }}
      />
      <AmountField
        amount={amount}
        change={(typed) => change({ amount: typed })}
        most={props.most}
        isWrong={(isAsked || amount !== '') && !isAmount}
      />
      <Note tone="warn" title={say('only', held)}>
        {say('onlySays')}
      </Note>
      {send.error !== null && <CashOutFault error={send.error} />}
      <Button kind="primary" type="submit" busy={send.isPending}>
        {isAmount ? say('send', { amount: format.usd(usd) }) : say('sendIt')}
      </Button>
    </form>
  )
}

/** All of it, which a field on a phone has no room for; what is compared is the beginning and the end. */
function Whole({ address }: { readonly address: string }): ReactNode {
  const say = useMessages(cashOutMessages)
  return (
    <>
      {say('toWhole')}{' '}
      <span className="font-mono wrap-anywhere">
        <span className="font-strong text-ink">{address.slice(0, 6)}</span>
        {address.slice(6, -6)}
        <span className="font-strong text-ink">{address.slice(-6)}</span>
      </span>
    </>
  )
}

type AmountProps = {
  readonly amount: string
  readonly change: (amount: string) => void
  readonly most: number
  readonly isWrong: boolean
}

/** Typed, all of it, or a dollar to see that it arrives. */
function AmountField({ amount, change, most, isWrong }: AmountProps): ReactNode {
  const say = useMessages(cashOutMessages)
  const format = useFormat()
  const { locale } = useSpeech()
  const id = useId()
  const one = format.usd(least)
  return (
    <div className="grid gap-3">
      <TextField
        label={say('amount')}
        error={isWrong ? say('badAmount', { least: one, most: format.usd(most) }) : undefined}
        value={amount}
        inputMode="decimal"
        autoComplete="off"
        className="numbers"
        onChange={({ target }) => {
          change(target.value)
        }}
      />
      <div className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,9rem),1fr))] gap-3">
        <Button
          aria-describedby={`${id}-first`}
          onClick={() => {
            change(typedNumber(least, locale))
          }}
        >
          {say('first', { one })}
        </Button>
        <Button
          onClick={() => {
            change(typedNumber(most, locale))
          }}
        >
          {say('all')}
        </Button>
      </div>
      <p id={`${id}-first`} className="text-sm text-quiet">
        {say('firstSays', { one })}
      </p>
    </div>
  )
}

type Wish = { readonly to: string; readonly usd: number; readonly ref: string }

function useSend({ wallet, network, token, onSend, onMore }: FormProps, draft: string, forget: () => void) {
  const say = useMessages(cashOutMessages)
  const format = useFormat()
  const queries = useQueryClient()
  const { act } = useWallet()
  return useMutation<Output<'cashOuts.send'>, Error, Wish>({
    mutationFn: ({ to, usd, ref }) =>
      act(
        {
          title: say('intent', { amount: format.usd(usd), to: shortAddress(to) }),
          explanation: say('explains'),
          payer: wallet,
          payee: to,
          payeeName: shortAddress(to),
          amountUsd: usd,
          mostLostUsd: usd,
          receivedUsd: usd,
          network,
          way: 'direct',
        },
        (client) => client.cashOut({ network, token, to, amount_usd: usd, ...(ref === '' ? {} : { client_ref: ref }) }),
        () => {
          // From now on it may be on its way: whoever comes back is not offered the same amount once more.
          keepDraft(draft, { to })
        },
      ),
    onMutate: onSend,
    onSuccess: forget,
    onError: onMore,
    onSettled: () =>
      Promise.all(
        (['cashOuts.list', 'payments.balance'] as const).map((name) =>
          queries.invalidateQueries({ queryKey: answerKey(name) }),
        ),
      ),
  })
}

const known = [
  'INSUFFICIENT_FUNDS',
  'FORBIDDEN_RECEIVER',
  'WORKER_BLOCKED',
  'RATE_LIMITED',
  'GAS_BUDGET_SPENT',
  'APPROVAL_IN_FLIGHT',
  'PAYMENT_AUTH_USED',
  'AUTHORIZATION_EXPIRED',
  'SETTLEMENT_FAILED',
  'INVALID_PAYMENT_AUTH',
] as const

/** Codes that mean something else where a task is paid are said in words of their own. */
function CashOutFault({ error }: { readonly error: Error }): ReactNode {
  const say = useMessages(cashOutMessages)
  const code = error instanceof ErgonError ? known.find((one) => one === error.code) : undefined
  return code === undefined ? <Failure error={error} /> : <Note tone="bad" role="alert" title={say(`fault.${code}`)} />
}
