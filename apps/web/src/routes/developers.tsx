import type { ReactNode } from 'react'
import { LinkButton } from '../components/button.tsx'
import { Copyable } from '../components/copyable.tsx'
import { Page } from '../components/page.tsx'
import { Card } from '../components/surface.tsx'
import { ConnectHosts } from '../features/developers/connect-hosts.tsx'
import { developerMessages } from '../features/developers/messages.ts'
import { documents, snippetsFor, type SnippetName } from '../features/developers/snippets.ts'
import { useMessages } from '../lib/i18n.tsx'
import { serviceAddress } from '../lib/service-address.ts'

const parts = [
  ['read', 'readSays', ['read']],
  ['rest', 'restSays', ['rest']],
  ['worker', 'workerSays', ['worker']],
  ['connect', 'connectSays', ['connect']],
  ['mcp', 'mcpSays', ['mcpHttp', 'mcpCodex', 'mcpSigned']],
  ['a2a', 'a2aSays', ['a2a']],
  ['cli', 'cliSays', ['cli']],
  ['events', 'eventsSays', ['events']],
  ['webhooks', 'webhooksSays', ['webhooks']],
] as const satisfies readonly (readonly [name: string, says: string, snippets: readonly SnippetName[]])[]
// Object.keys of a constant object answers exactly its declared keys.
const documentNames = Object.keys(documents) as (keyof typeof documents)[]

/** How software takes part: by what, from where, and texts to copy. */
export function DevelopersScreen(): ReactNode {
  const say = useMessages(developerMessages)
  const snippets = snippetsFor(serviceAddress())
  return (
    <Page title={say('title')} lead={say('lead')}>
      <Card as="section" className="grid gap-3">
        <h2>{say('start')}</h2>
        <p>{say('startSays')}</p>
        <p className="text-quiet">{say('source')}</p>
        <nav aria-label={say('contents')} className="flex flex-wrap gap-x-4 gap-y-1">
          {parts.map(([name]) => (
            <a key={name} href={`#${name}`} className="link inline-flex min-h-6 items-center">
              {say(name)}
            </a>
          ))}
        </nav>
      </Card>
      {parts.map(([name, says, shown]) => (
        <section key={name} id={name} aria-labelledby={`${name}-title`} className="grid min-w-0 scroll-mt-24 gap-3">
          <h2 id={`${name}-title`}>{say(name)}</h2>
          <p className="max-w-prose">{say(says)}</p>
          {shown.map((one) => (
            <div key={one} className="grid min-w-0 gap-2">
              {shown.length > 1 && <h3>{say(one)}</h3>}
              <Copyable text={snippets[one]} label={say(one)} />
            </div>
          ))}
          {name === 'connect' && <ConnectHosts />}
          {name === 'webhooks' && (
            <div>
              <LinkButton to="/webhooks">{say('console')}</LinkButton>
            </div>
          )}
        </section>
      ))}
      <Card as="section" className="grid gap-3">
        <h2>{say('documents')}</h2>
        <ul className="grid gap-1">
          {documentNames.map((name) => (
            <li key={name}>
              <a href={documents[name]} className="link inline-flex min-h-6 items-center">
                {say(name)}
              </a>
            </li>
          ))}
        </ul>
        <div>
          <LinkButton to="/status">{say('more')}</LinkButton>
        </div>
      </Card>
    </Page>
  )
}
