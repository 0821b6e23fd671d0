import { useState, type ReactNode } from 'react'
import { Button } from '../../components/button.tsx'
import { TextField } from '../../components/field.tsx'
import { Note } from '../../components/surface.tsx'
import { useMessages } from '../../lib/i18n.tsx'
import { PasskeyFault } from '../../wallet/passkey/faults.ts'
import { openVault } from '../../wallet/passkey/open-vault.ts'
import { isPasskeyWallet } from '../../wallet/passkey/passkey-wallet.ts'
import { useDiscovery } from '../../wallet/wallet.tsx'
import { passkeyMessages } from './passkey-messages.ts'
import { useProtection } from './protection.tsx'
import type { Enter } from './use-entering.ts'

const longestName = 60

type MakeProps = { readonly isFirst: boolean; readonly enter: Enter; readonly isEntering: boolean }

/** A wallet from a name and a passkey, and in with it: one button. */
export function MakeWallet({ isFirst, enter, isEntering }: MakeProps): ReactNode {
  const say = useMessages(passkeyMessages)
  const discovery = useDiscovery()
  const { protection, fallBack, part } = useProtection()
  const [name, setName] = useState('')
  const [isTried, setTried] = useState(false)
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>()
  const make = async (): Promise<void> => {
    setTried(true)
    if (name.trim() === '') return
    setBusy(true)
    setError(undefined)
    try {
      const { address } = await openVault().make(name.trim(), protection)
      const wallet = discovery.list().find((one) => isPasskeyWallet(one) && one.rdns.endsWith(address))
      if (wallet !== undefined) enter(wallet, { name: name.trim() })
    } catch (cause) {
      if (cause instanceof PasskeyFault && (cause.fault === 'noPrf' || cause.fault === 'absent')) fallBack()
      setError(cause)
    } finally {
      setBusy(false)
    }
  }
  return (
    <form
      noValidate
      className="grid gap-3"
      onSubmit={(event) => {
        event.preventDefault()
        if (!busy && !isEntering) void make()
      }}
    >
      {isFirst && <p className="text-quiet">{say('newLead')}</p>}
      <TextField
        label={say('name')}
        hint={say('nameHint')}
        autoComplete="nickname"
        maxLength={longestName}
        value={name}
        error={isTried && name.trim() === '' ? say('nameMissing') : undefined}
        onChange={({ target }) => {
          setName(target.value)
        }}
      />
      {part}
      <p className="text-sm text-quiet">{say('says', { host: location.host })}</p>
      {error !== undefined && <FaultNote error={error} />}
      {busy && protection.kind === 'passkey' && <Note role="status">{say('making')}</Note>}
      <Button type="submit" kind="primary" busy={busy || isEntering}>
        {say('make')}
      </Button>
      <p className="text-sm text-quiet">
        {say('nobody')} {say('privateWindow')}
      </p>
    </form>
  )
}

/** Why the wallet did not do it, and the way on. */
export function FaultNote({ error }: { readonly error: unknown }): ReactNode {
  return (
    <Note tone={error instanceof PasskeyFault && error.code === 4001 ? 'warn' : 'bad'} role="alert">
      {(error instanceof PasskeyFault ? error : new PasskeyFault('unknown')).message}
    </Note>
  )
}
