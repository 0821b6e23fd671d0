import { useState, type ReactNode } from 'react'
import { Button } from '../../components/button.tsx'
import { TextField } from '../../components/field.tsx'
import { Note } from '../../components/surface.tsx'
import { useMessages } from '../../lib/i18n.tsx'
import { isPasskeyPlace } from '../../wallet/passkey/passkey-place.ts'
import type { Protection } from '../../wallet/passkey/vault.ts'
import { passkeyMessages } from './passkey-messages.ts'

/** What this browser cannot do is known without asking; whether a passkey can seal, only after making one. */
const canPasskey = (): boolean => typeof PublicKeyCredential !== 'undefined' && isPasskeyPlace(location.hostname)

export type Protecting = {
  readonly protection: Protection
  /** The passkey turned out to be one that seals nothing. */
  readonly fallBack: () => void
  readonly part: ReactNode
}

/** Passkey or passphrase; the second where the first is missing, or by choice. */
export function useProtection(label?: string): Protecting {
  const say = useMessages(passkeyMessages)
  const [kind, setKind] = useState<Protection['kind']>(canPasskey() ? 'passkey' : 'passphrase')
  const [hasFailed, setHasFailed] = useState(!canPasskey())
  const [passphrase, setPassphrase] = useState('')
  return {
    protection: kind === 'passkey' ? { kind } : { kind, passphrase },
    fallBack: () => {
      setHasFailed(true)
      setKind('passphrase')
    },
    part: (
      <>
        {kind === 'passphrase' && (
          <>
            {hasFailed && <Note tone="warn">{say('noPasskey')}</Note>}
            <TextField
              label={label ?? say('passphrase')}
              hint={say('passphraseHint')}
              type="password"
              autoComplete="new-password"
              value={passphrase}
              onChange={({ target }) => {
                setPassphrase(target.value)
              }}
            />
          </>
        )}
        {canPasskey() && (
          <Button
            kind="quiet"
            onClick={() => {
              setKind(kind === 'passkey' ? 'passphrase' : 'passkey')
            }}
          >
            {say(kind === 'passkey' ? 'usePassphrase' : 'usePasskey')}
          </Button>
        )}
      </>
    ),
  }
}
