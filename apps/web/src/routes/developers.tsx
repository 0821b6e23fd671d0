import type { ReactNode } from 'react'
import { LinkButton } from '../components/button.tsx'
import { Copyable } from '../components/copyable.tsx'
import type { IconName } from '../components/icon-names.ts'
import { Icon } from '../components/icon.tsx'
import { IconDisc } from '../components/icon-disc.tsx'
import { Page } from '../components/page.tsx'
import { ConnectHosts } from '../features/developers/connect-hosts.tsx'
import { developerMessages } from '../features/developers/messages.ts'
import { documents, snippetsFor, type SnippetName } from '../features/developers/snippets.ts'
import { useMessages } from '../lib/i18n.tsx'
import { serviceAddress } from '../lib/service-address.ts'

type PartOf = readonly [name: string, says: string, icon: IconName, snippets: readonly SnippetName[]]
const parts = [
  ['read', 'readSays', 'magnifying-glass', ['read']],
  ['rest', 'restSays', 'code', ['rest']],
  ['worker', 'workerSays', 'briefcase', ['worker']],
  ['connect', 'connectSays', 'plugs-connected', ['connect']],
  ['mcp', 'mcpSays', 'wrench', ['mcpHttp', 'mcpCodex', 'mcpSigned']],
  ['a2a', 'a2aSays', 'robot', ['a2a']],
  ['cli', 'cliSays', 'text-align-left', ['cli']],
  ['events', 'eventsSays', 'pulse', ['events']],
  ['webhooks', 'webhooksSays', 'bell', ['webhooks']],
] as const satisfies readonly PartOf[]
// Object.keys of a constant object answers exactly its declared keys.
const documentNames = Object.keys(documents) as (keyof typeof documents)[]

/** How software takes part: by what, from where, and texts to copy. */
export function DevelopersScreen(): ReactNode {
  const say = useMessages(developerMessages)
  const snippets = snippetsFor(serviceAddress())
  return (
    <Page title={say('title')} lead={say('lead')}>
      <section className="night grid gap-3">
        <h2>{say('start')}</h2>
        <p>{say('startSays')}</p>
        <p className="night-quiet text-sm">{say('source')}</p>
      </section>
      <Contents />
      <div className="grid gap-12 pt-4">
        {parts.map(([name, says, , shown]) => (
          <section key={name} id={name} aria-labelledby={`${name}-title`} className="grid min-w-0 scroll-mt-24 gap-3">
            <h2 id={`${name}-title`}>{say(name)}</h2>
            <p className="max-w-prose">{say(says)}</p>
            {shown.map((one) => (
              <Copyable key={one} text={snippets[one]} label={say(one)} />
            ))}
            {name === 'connect' && <ConnectHosts />}
            {name === 'webhooks' && (
              <div>
                <LinkButton to="/webhooks">{say('console')}</LinkButton>
              </div>
            )}
          </section>
        ))}
        <Documents />
      </div>
    </Page>
  )
}

/** The ways in, each a tile that leads down the page. */
function Contents(): ReactNode {
  const say = useMessages(developerMessages)
  return (
    <nav aria-label={say('contents')}>
      <ul className="grid grid-cols-2 gap-3 sm:grid-cols-3">
        {parts.map(([name, , icon]) => (
          <li key={name} className="grid">
            <a href={`#${name}`} className="card grid content-start gap-2.5 p-4 font-label hover:border-brand">
              <IconDisc icon={icon} tone="brand" />
              {say(name)}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}

/** What the service says about itself, for machines. */
function Documents(): ReactNode {
  const say = useMessages(developerMessages)
  return (
    <section className="grid gap-3">
      <h2>{say('documents')}</h2>
      <ul className="divide-y divide-line overflow-hidden rounded-card border border-line bg-surface">
        {documentNames.map((name) => (
          <li key={name}>
            <a href={documents[name]} className="flex items-center gap-3 px-4 py-3 hover:bg-sunken/60">
              <Icon name="file-text" className="text-[1.25rem] text-quiet" />
              <span className="min-w-0 flex-1 wrap-anywhere">{say(name)}</span>
              <Icon name="arrow-up-right-bold" className="text-quiet" />
            </a>
          </li>
        ))}
      </ul>
      <div>
        <LinkButton to="/status">{say('more')}</LinkButton>
      </div>
    </section>
  )
}
