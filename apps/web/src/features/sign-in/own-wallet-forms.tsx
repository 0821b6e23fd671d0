import { useEffect, useState, type ReactNode } from 'react'
import { Button } from '../../components/button.tsx'
import { CheckField, TextField } from '../../components/field.tsx'
import { Note } from '../../components/surface.tsx'
import { saveAs } from '../../lib/csv.ts'
import { useMessages, useSpeech } from '../../lib/i18n.tsx'
import { typedNumber } from '../../lib/number-typed.ts'
import { commonMessages } from '../../messages/common-messages.ts'
import { atomicOf } from '../../wallet/passkey/limits.ts'
import { openVault } from '../../wallet/passkey/open-vault.ts'
import type { SealedWallet } from '../../wallet/passkey/sealed-wallet.ts'
import { FaultNote } from './make-wallet.tsx'
import { walletCardMessages } from './wallet-card-messages.ts'

type FormProps = { readonly wallet: SealedWallet; readonly onEnd: (says?: string) => void }

type WalletFormProps = {
  readonly lead?: string
  readonly verb: string
  readonly kind?: 'primary' | 'danger'
  readonly isReady: boolean
  readonly act: () => Promise<void>
  readonly onEnd: () => void
  readonly children: ReactNode
}

/** Fields, what went wrong, a way back and the one act. */
function WalletForm({ lead, verb, kind = 'primary', isReady, act, onEnd, children }: WalletFormProps): ReactNode {
  const common = useMessages(commonMessages)
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>()
  return (
    <form
      noValidate
      className="grid gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        if (busy || !isReady) return
        setBusy(true)
        setError(undefined)
        act()
          .catch(setError)
          .finally(() => {
            setBusy(false)
          })
      }}
    >
      {lead !== undefined && <p>{lead}</p>}
      {children}
      {error !== undefined && <FaultNote error={error} />}
      <div className="flex flex-wrap justify-end gap-3">
        <Button onClick={onEnd}>{common('cancel')}</Button>
        <Button type="submit" kind={kind} busy={busy} disabled={!isReady}>
          {verb}
        </Button>
      </div>
    </form>
  )
}

/** The copy that other devices and other wallets open. */
export function SaveKeyFile({ wallet, onEnd }: FormProps): ReactNode {
  const say = useMessages(walletCardMessages)
  const [passphrase, setPassphrase] = useState('')
  const [again, setAgain] = useState('')
  const isOther = again !== '' && again !== passphrase
  return (
    <WalletForm
      lead={say('fileLead')}
      verb={say('saveFile')}
      isReady={passphrase !== '' && again === passphrase}
      onEnd={onEnd}
      act={async () => {
        const vault = openVault()
        saveAs(
          `ergon-wallet-${wallet.address.slice(2, 8)}.json`,
          await vault.keyFile(wallet.address, passphrase),
          'application/json',
        )
        await vault.markSaved(wallet.address)
        onEnd(say('fileSaved'))
      }}
    >
      <TextField
        label={say('filePassphrase')}
        hint={say('passphraseHint')}
        type="password"
        autoComplete="new-password"
        value={passphrase}
        onChange={({ target }) => {
          setPassphrase(target.value)
        }}
      />
      <TextField
        label={say('filePassphraseAgain')}
        type="password"
        autoComplete="new-password"
        value={again}
        error={isOther ? say('notSame') : undefined}
        onChange={({ target }) => {
          setAgain(target.value)
        }}
      />
    </WalletForm>
  )
}

const typedLimit = (atomic: string, locale: string): string => typedNumber(Number(atomic) / 1e6, locale)

export function LimitsForm({ wallet, onEnd }: FormProps): ReactNode {
  const say = useMessages(walletCardMessages)
  const { locale } = useSpeech()
  const [payment, setPayment] = useState(typedLimit(wallet.limits.perPaymentAtomic, locale))
  const [day, setDay] = useState(typedLimit(wallet.limits.perDayAtomic, locale))
  const [perPayment, perDay] = [atomicOf(payment, locale), atomicOf(day, locale)]
  return (
    <WalletForm
      verb={say('change')}
      isReady={perPayment !== undefined && perDay !== undefined}
      onEnd={onEnd}
      act={async () => {
        if (perPayment === undefined || perDay === undefined) return
        const limits = { perPaymentAtomic: perPayment.toString(), perDayAtomic: perDay.toString() }
        await openVault().setLimits(wallet.address, limits)
        onEnd(say('changed'))
      }}
    >
      <TextField
        label={say('perPayment')}
        inputMode="decimal"
        autoComplete="off"
        value={payment}
        error={perPayment === undefined ? say('noAmount') : undefined}
        onChange={({ target }) => {
          setPayment(target.value)
        }}
      />
      <TextField
        label={say('perDay')}
        inputMode="decimal"
        autoComplete="off"
        value={day}
        error={perDay === undefined ? say('noAmount') : undefined}
        onChange={({ target }) => {
          setDay(target.value)
        }}
      />
    </WalletForm>
  )
}

const shownMs = 60_000

/** The key itself, behind a deliberate step, for a minute, and never on the clipboard. */
export function RevealKey({ wallet, onEnd }: FormProps): ReactNode {
  const say = useMessages(walletCardMessages)
  const [isSure, setSure] = useState(false)
  const [key, setKey] = useState<string>()
  useEffect(() => {
    if (key === undefined) return
    const timer = setTimeout(() => {
      setKey(undefined)
    }, shownMs)
    return () => {
      clearTimeout(timer)
    }
  }, [key])
  if (key !== undefined)
    return (
      <div className="grid gap-4">
        <p className="font-semibold">{say('revealed')}</p>
        <p className="rounded-lg bg-sunken p-3 font-mono break-all">{key}</p>
        <Button
          kind="primary"
          onClick={() => {
            onEnd()
          }}
        >
          {say('hide')}
        </Button>
      </div>
    )
  return (
    <WalletForm
      verb={say('reveal')}
      kind="danger"
      isReady={isSure}
      onEnd={onEnd}
      act={async () => {
        setKey(await openVault().reveal(wallet.address))
      }}
    >
      <Note tone="bad">{say('revealLead')}</Note>
      <CheckField
        label={say('revealSure')}
        checked={isSure}
        onChange={({ target }) => {
          setSure(target.checked)
        }}
      />
    </WalletForm>
  )
}

export function ForgetWallet({ wallet, onEnd }: FormProps): ReactNode {
  const say = useMessages(walletCardMessages)
  const [typed, setTyped] = useState('')
  return (
    <WalletForm
      lead={say('forgetLead')}
      verb={say('forget')}
      kind="danger"
      isReady={typed.trim() === wallet.name}
      onEnd={onEnd}
      act={async () => {
        await openVault().forget(wallet.address)
        onEnd(say('forgotten', { name: wallet.name }))
      }}
    >
      <TextField
        label={say('forgetTyped', { name: wallet.name })}
        autoComplete="off"
        value={typed}
        onChange={({ target }) => {
          setTyped(target.value)
        }}
      />
    </WalletForm>
  )
}
