import type { ReactNode } from 'react'
import { useMessages } from '../lib/i18n.tsx'
import { useSettings } from '../lib/settings-context.tsx'
import { shellMessages } from './messages.ts'

/** Pages of whoever runs this deployment, as far as it names any. */
export function OperatorLinks(): ReactNode {
  const say = useMessages(shellMessages)
  const { termsUrl, privacyUrl, helpUrl } = useSettings()
  const links = [
    ['help', helpUrl],
    ['terms', termsUrl],
    ['privacy', privacyUrl],
  ] as const
  return links.map(
    ([name, url]) =>
      url !== null && (
        <a key={name} href={url} rel="noreferrer noopener" className="link inline-flex min-h-11 items-center">
          {say(name)}
        </a>
      ),
  )
}
