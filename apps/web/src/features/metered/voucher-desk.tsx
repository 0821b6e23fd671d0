import { useCallback, useEffect, useRef, useState, type ReactNode } from 'react'
import { ErgonError, signVoucher } from '@ergon/sdk'
import { Button } from '../../components/button.tsx'
import { Failure } from '../../components/failure.tsx'
import { TextField } from '../../components/field.tsx'
import { priceMessages } from '../../components/metered/messages.ts'
import { Note } from '../../components/surface.tsx'
import { useFormat } from '../../lib/format.ts'
import { useMessages, useSpeech } from '../../lib/i18n.tsx'
import { useChange, useRead } from '../../lib/market.tsx'
import { dollarsTyped } from '../../lib/number-typed.ts'
import { focusFault } from '../../lib/show-faults.ts'
import { ChooseWallet } from './choose-wallet.tsx'
import { isTime, limitOf, microOf, nextPromise, signEveryMs } from './next-promise.ts'
import type { SolanaAccount } from './solana-wallets.ts'
import type { Meter } from './use-meter.ts'
import { voucherMessages } from './voucher-messages.ts'

/** Where the buyer of a channel signs each payment, if it chose to; nothing of it outlives the page. */
export function VoucherDesk({ meter }: { readonly meter: Meter }): ReactNode {
  const say = useMessages(voucherMessages)
  const { data: channel, error } = useRead('channels.get', { task_id: meter.task_id }, { staleTime: Infinity })
  const [account, setAccount] = useState<SolanaAccount>()
  if (channel === undefined && error !== null) return <Failure error={error} />
  if (channel?.voucher_signer !== 'client') return null
  const isOther = account !== undefined && account.address !== channel.authorized_signer
  return (
    <section className="grid gap-3 border-t border-dashed border-line pt-4" aria-label={say('title')}>
      <h3>{say('title')}</h3>
      <p className="text-quiet">{say('lead')}</p>
      {isOther && <Note tone="warn" title={say('otherKey', { address: channel.authorized_signer })} role="alert" />}
      {account === undefined || isOther ? (
        <ChooseWallet onChosen={setAccount} />
      ) : (
        <Signing meter={meter} channelId={channel.channel_id} account={account} />
      )}
      <details className="text-sm text-quiet">
        <summary className="link inline-flex min-h-11 items-center">{say('what')}</summary>
        <p className="max-w-prose">{say('whatHelp')}</p>
      </details>
    </section>
  )
}

/** Nobody said no: the service may have taken it all the same. */
const mayHaveArrived = (error: Error | null): boolean =>
  error instanceof ErgonError && (error.status === 0 || error.status >= 500)

type SigningProps = { readonly meter: Meter; readonly channelId: string; readonly account: SolanaAccount }

function Signing({ meter, channelId, account }: SigningProps): ReactNode {
  const say = useMessages(voucherMessages)
  const units = useMessages(priceMessages)
  const format = useFormat()
  const { isBusy, hasRefused, error, sign } = useSigning({ meter, channelId, account })
  const one = nextPromise(meter, 0)
  const usd = (micro: bigint): string => format.usd(Number(micro) / 1e6)
  const isTimed = isTime(meter.unit)
  return (
    <div className="grid gap-4">
      {hasRefused && <Note tone="warn" title={say('refused')} role="alert" />}
      {error !== null && <Failure error={error} />}
      {mayHaveArrived(error) && <Note tone="warn" title={say('lost')} role="alert" />}
      <div>
        <Button
          kind="primary"
          busy={isBusy}
          disabled={meter.remaining_usd === 0}
          onClick={() => {
            void sign()
          }}
        >
          {isTimed || one === undefined
            ? say('signTime')
            : say('signOne', { unit: units(`unit_${meter.unit}`), total: usd(one) })}
        </Button>
      </div>
      {isTimed && <GoesOn meter={meter} sign={sign} hasFailed={hasRefused || error !== null} />}
    </div>
  )
}

/** Signs what is due and hands it in as a unit of work; one at a time. */
function useSigning({ meter, channelId, account }: SigningProps) {
  const seenAt = useSeenAt(meter.updated_at)
  const { mutateAsync, error } = useChange('channels.tick', ['streams.get'])
  const [isBusy, setBusy] = useState(false)
  const [hasRefused, setRefused] = useState(false)
  const isSigning = useRef(false)
  const accepted = useRef(0n)
  const sign = useCallback(
    async (most?: bigint): Promise<void> => {
      const cumulative = nextPromise(meter, performance.now() - seenAt(), most)
      // A meter that has not told yet what was accepted here is waited for.
      const isBehind = BigInt(meter.consumed_uusdc) < accepted.current
      if (cumulative === undefined || isBehind || isSigning.current) return
      isSigning.current = true
      setBusy(true)
      setRefused(false)
      try {
        const signer = { address: account.address, sign: account.signMessage }
        const voucher = await signVoucher(signer, { channel_id: channelId, cumulative }).catch(() => undefined)
        if (voucher === undefined) {
          setRefused(true)
          return
        }
        await mutateAsync({ task_id: meter.task_id, evidence: { signed_by: 'buyer' }, voucher })
        accepted.current = cumulative
      } catch {
        // `error` says it.
      } finally {
        isSigning.current = false
        setBusy(false)
      }
    },
    [account, channelId, meter, mutateAsync, seenAt],
  )
  return { isBusy, hasRefused, error, sign }
}

/** When this page first saw that change, by a clock that no one sets. */
function useSeenAt(change: string): () => number {
  const seen = useRef({ change: '', at: 0 })
  useEffect(() => {
    if (seen.current.change !== change) seen.current = { change, at: performance.now() }
  }, [change])
  return useCallback(() => seen.current.at, [])
}

type GoesOnProps = {
  readonly meter: Meter
  readonly sign: (most: bigint) => Promise<void>
  readonly hasFailed: boolean
}

/** Goes on signing by itself, up to an amount that the buyer sets in this page. */
function GoesOn({ meter, sign, hasFailed }: GoesOnProps): ReactNode {
  const say = useMessages(voucherMessages)
  const format = useFormat()
  const [most, setMost] = useState<bigint>()
  const isOver = most !== undefined && BigInt(meter.consumed_uusdc) >= most
  const isOn = most !== undefined && !isOver && !hasFailed
  const latest = useRef(sign)
  useEffect(() => {
    latest.current = sign
  }, [sign])
  useEffect(() => {
    if (!isOn) return undefined
    const timer = setInterval(() => {
      void latest.current(most)
    }, signEveryMs(meter.unit))
    return () => {
      clearInterval(timer)
    }
  }, [isOn, most, meter.unit])
  return (
    <div className="grid gap-3">
      <p role="status" className="text-sm empty:hidden">
        {isOn ? say('goesOn', { most: format.usd(Number(most) / 1e6) }) : isOver ? say('reached') : ''}
      </p>
      {isOn ? (
        <div>
          <Button
            onClick={() => {
              setMost(undefined)
            }}
          >
            {say('pause')}
          </Button>
        </div>
      ) : (
        <UpTo
          meter={meter}
          onSet={(set) => {
            setMost(set)
            void sign(set)
          }}
        />
      )}
    </div>
  )
}

type UpToProps = { readonly meter: Meter; readonly onSet: (most: bigint) => void }

/** The amount in all; more than was paid, and no more than may be spent. */
function UpTo({ meter, onSet }: UpToProps): ReactNode {
  const say = useMessages(voucherMessages)
  const format = useFormat()
  const { locale } = useSpeech()
  const [typed, setTyped] = useState('')
  const [isWrong, setWrong] = useState(false)
  const [now, limit] = [BigInt(meter.consumed_uusdc), limitOf(meter)]
  const set = (form: HTMLFormElement): void => {
    const usd = dollarsTyped(typed, locale)
    const most = typeof usd === 'number' ? microOf(usd.toFixed(6)) : 0n
    const isRight = typeof usd === 'number' && usd > 0 && most > now && most <= limit
    setWrong(!isRight)
    if (isRight) onSet(most)
    else focusFault(form)
  }
  return (
    <form
      noValidate
      className="grid gap-3"
      onSubmit={(event) => {
        event.preventDefault()
        set(event.currentTarget)
      }}
    >
      <TextField
        label={say('upTo')}
        hint={say('upToHint', { now: format.usd(meter.consumed_usd), most: format.usd(Number(limit) / 1e6) })}
        inputMode="decimal"
        autoComplete="off"
        className="numbers max-w-40"
        value={typed}
        error={isWrong ? say('upToWrong') : undefined}
        onChange={({ target }) => {
          setTyped(target.value)
        }}
      />
      <div>
        <Button type="submit">{say('letGoOn')}</Button>
      </div>
    </form>
  )
}
