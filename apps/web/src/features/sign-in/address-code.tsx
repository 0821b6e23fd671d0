import type { ReactNode } from 'react'
import { CodePicture } from '../../components/code-picture.tsx'
import { useMessages } from '../../lib/i18n.tsx'
import { passkeyMessages } from './passkey-messages.ts'

/** The address of a page, for the camera of a phone. */
export function AddressCode({ address }: { readonly address: string }): ReactNode {
  const say = useMessages(passkeyMessages)
  return (
    <div className="grid justify-items-start gap-2">
      <CodePicture text={address} label={say('code')} />
      <p className="text-sm text-quiet">{say('codeLead')}</p>
      <p className="text-sm break-all">{address}</p>
    </div>
  )
}
