import { useState, type ReactNode } from 'react'
import { Button } from '../../components/button.tsx'
import { Field, inputClass, TextField } from '../../components/field.tsx'
import { useToast } from '../../components/toast.tsx'
import { useMessages } from '../../lib/i18n.tsx'
import { commonMessages } from '../../messages/common-messages.ts'
import { PasskeyFault } from '../../wallet/passkey/faults.ts'
import { readKeyFile } from '../../wallet/passkey/key-file.ts'
import { openVault } from '../../wallet/passkey/open-vault.ts'
import { FaultNote } from './make-wallet.tsx'
import { passkeyMessages } from './passkey-messages.ts'
import { useProtection } from './protection.tsx'

type FileFieldProps = { readonly error: string | undefined; readonly onFile: (file: File | undefined) => void }

function FileField({ error, onFile }: FileFieldProps): ReactNode {
  const say = useMessages(passkeyMessages)
  return (
    <Field label={say('file')} error={error}>
      {(ties) => (
        <input
          {...ties}
          type="file"
          accept="application/json,.json"
          className={inputClass}
          onChange={({ target }) => {
            onFile(target.files?.[0])
          }}
        />
      )}
    </Field>
  )
}

/** A key file is small; nothing else is read in. */
const textOf = async (file: File): Promise<string> => (file.size > 10_000 ? '' : file.text())

/** A wallet of elsewhere, out of its key file, under a passkey of this device. */
export function BringWallet({ onEnd }: { readonly onEnd: () => void }): ReactNode {
  const say = useMessages(passkeyMessages)
  const common = useMessages(commonMessages)
  const tell = useToast()
  const { protection, fallBack, part } = useProtection(say('newPassphrase'))
  const [name, setName] = useState('')
  const [file, setFile] = useState<File>()
  const [passphrase, setPassphrase] = useState('')
  const [isTried, setTried] = useState(false)
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>()
  const missing = (isThere: boolean): string | undefined => (isTried && !isThere ? say('nameMissing') : undefined)
  const bring = async (): Promise<void> => {
    setTried(true)
    if (file === undefined || name.trim() === '' || passphrase === '') return
    setBusy(true)
    setError(undefined)
    try {
      await openVault().bring(name.trim(), await readKeyFile(await textOf(file), passphrase), protection)
      tell(say('brought', { name: name.trim() }))
      onEnd()
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
      className="grid gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        if (!busy) void bring()
      }}
    >
      <p className="text-quiet">{say('bringLead')}</p>
      <FileField error={missing(file !== undefined)} onFile={setFile} />
      <TextField
        label={say('filePassphrase')}
        type="password"
        autoComplete="current-password"
        value={passphrase}
        error={missing(passphrase !== '')}
        onChange={({ target }) => {
          setPassphrase(target.value)
        }}
      />
      <TextField
        label={say('name')}
        autoComplete="nickname"
        maxLength={60}
        value={name}
        error={missing(name.trim() !== '')}
        onChange={({ target }) => {
          setName(target.value)
        }}
      />
      {part}
      {error !== undefined && <FaultNote error={error} />}
      <div className="flex flex-wrap justify-end gap-3">
        <Button onClick={onEnd}>{common('cancel')}</Button>
        <Button type="submit" kind="primary" busy={busy}>
          {say('bringIn')}
        </Button>
      </div>
    </form>
  )
}
