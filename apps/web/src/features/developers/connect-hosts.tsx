import type { ReactNode } from 'react'
import { LinkButton } from '../../components/button.tsx'
import { Copyable } from '../../components/copyable.tsx'
import { Note } from '../../components/surface.tsx'
import { useMessages } from '../../lib/i18n.tsx'
import { useRead } from '../../lib/market.tsx'
import { serviceAddress } from '../../lib/service-address.ts'
import { developerMessages } from './messages.ts'
import { hostsFor } from './snippets.ts'

/** What to give each tool host, where this deployment lets tools in by a sign-in of the wallet. */
export function ConnectHosts(): ReactNode {
  const say = useMessages(developerMessages)
  const { data } = useRead('auth.info', {})
  const isOff = data?.modes.some(({ name, enabled }) => name === 'oauth' && !enabled) === true
  if (isOff) return <Note tone="warn" title={say('connectOff')} />
  return (
    <>
      {hostsFor(serviceAddress()).map(({ title, file, text, command }) => {
        const inFile = say('hostFile', { title, file: file.below === 'home' ? `~/${file.path}` : file.path })
        const byCommand = say('hostCommand', { title })
        return (
          <div key={title} className="grid min-w-0 gap-2">
            <Copyable text={text} label={inFile} />
            {command !== null && <Copyable text={command} label={byCommand} />}
          </div>
        )
      })}
      <div>
        <LinkButton to="/account/tools">{say('connected')}</LinkButton>
      </div>
    </>
  )
}
