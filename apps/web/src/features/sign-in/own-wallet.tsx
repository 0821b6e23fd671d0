import { useCallback, useEffect, useState, type ReactNode } from 'react'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { Card, Note } from '../../components/surface.tsx'
import { useToast } from '../../components/toast.tsx'
import { useFormat } from '../../lib/format.ts'
import { useMessages, useSpeech } from '../../lib/i18n.tsx'
import { dayMs, dollarsOf } from '../../wallet/passkey/limits.ts'
import type { ListedWallet } from '../../wallet/passkey/listed-wallets.ts'
import { openVault } from '../../wallet/passkey/open-vault.ts'
import type { SealedWallet } from '../../wallet/passkey/sealed-wallet.ts'
import { walletStore } from '../../wallet/passkey/wallet-store.ts'
import { FaultNote } from './make-wallet.tsx'
import { ForgetWallet, LimitsForm, RevealKey, SaveKeyFile } from './own-wallet-forms.tsx'
import { walletCardMessages } from './wallet-card-messages.ts'

const parts = ['file', 'change', 'reveal', 'forget'] as const
type Part = (typeof parts)[number]
const forms = { file: SaveKeyFile, change: LimitsForm, reveal: RevealKey, forget: ForgetWallet } as const

/** Its limits, its copy, its key, and the way to be rid of it here. */
export function OwnWallet({ listed }: { readonly listed: ListedWallet }): ReactNode {
  const say = useMessages(walletCardMessages)
  const tell = useToast()
  const [wallet, setWallet] = useState<SealedWallet>()
  const [error, setError] = useState<unknown>()
  const [part, setPart] = useState<Part>()
  const read = useCallback(() => {
    walletStore.read(listed.address).then(setWallet, setError)
  }, [listed.address])
  useEffect(read, [read, listed])
  const Form = part === undefined ? undefined : forms[part]
  return (
    <Card as="section" className="grid gap-3">
      <h2>{say('title')}</h2>
      {error !== undefined && <FaultNote error={error} />}
      {wallet !== undefined && <State wallet={wallet} />}
      {wallet !== undefined && (
        <div className="flex flex-wrap gap-3">
          {parts.map((one) => (
            <Button
              key={one}
              kind={one === 'file' && wallet.savedAt === null ? 'primary' : one === 'forget' ? 'danger' : 'secondary'}
              onClick={() => {
                setPart(one)
              }}
            >
              {say(one)}
            </Button>
          ))}
          {wallet.lock.kind === 'passphrase' && (
            <Button
              onClick={() => {
                openVault().lock()
                tell(say('locked'))
              }}
            >
              {say('lock')}
            </Button>
          )}
        </div>
      )}
      <p className="text-sm text-quiet">{say('elsewhere')}</p>
      <Dialog
        open={part !== undefined}
        title={part === undefined ? '' : say(part)}
        onClose={() => {
          setPart(undefined)
        }}
      >
        {Form !== undefined && wallet !== undefined && (
          <Form
            wallet={wallet}
            onEnd={(says) => {
              setPart(undefined)
              if (says !== undefined) tell(says)
              read()
            }}
          />
        )}
      </Dialog>
    </Card>
  )
}

function State({ wallet }: { readonly wallet: SealedWallet }): ReactNode {
  const say = useMessages(walletCardMessages)
  const format = useFormat()
  const { locale } = useSpeech()
  const [now] = useState(Date.now)
  const spent = wallet.spent.filter(({ at }) => at > now - dayMs).reduce((sum, { atomic }) => sum + BigInt(atomic), 0n)
  return (
    <>
      <p className="text-quiet">{say(wallet.lock.kind === 'passkey' ? 'lead' : 'leadPassphrase')}</p>
      {wallet.savedAt === null ? (
        <Note tone="warn" title={say('unsaved')}>
          <p>{say('unsavedWay')}</p>
        </Note>
      ) : (
        <p>{say('saved', { when: format.dateTime(new Date(wallet.savedAt).toISOString()) })}</p>
      )}
      <p className="numbers">
        {say('limitsNow', {
          payment: dollarsOf(BigInt(wallet.limits.perPaymentAtomic), locale),
          day: dollarsOf(BigInt(wallet.limits.perDayAtomic), locale),
          spent: dollarsOf(spent, locale),
        })}
      </p>
    </>
  )
}
