import { useState, type FormEvent, type ReactNode } from 'react'
import type { Output } from '@ergon/sdk'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { Button, LinkButton } from '../components/button.tsx'
import { Failure } from '../components/failure.tsx'
import { TextField } from '../components/field.tsx'
import { IconDisc } from '../components/icon-disc.tsx'
import { Icon } from '../components/icon.tsx'
import { Page } from '../components/page.tsx'
import { Pager } from '../components/pager.tsx'
import { Stars } from '../components/person.tsx'
import { Portrait } from '../components/portrait.tsx'
import { Badge, Card, Empty, Loading } from '../components/surface.tsx'
import { peopleMessages } from '../features/people/messages.ts'
import { faultsOf } from '../lib/form.ts'
import { useFormat } from '../lib/format.ts'
import { useMessages, useSpeech } from '../lib/i18n.tsx'
import { useRead } from '../lib/market.tsx'
import { numberTyped } from '../lib/number-typed.ts'
import { useFaultTexts } from '../lib/use-fault-texts.ts'
import { webLink } from '../lib/web-link.ts'
import { commonMessages } from '../messages/common-messages.ts'

const route = getRouteApi('/agents')
const perPage = 20

type Agent = Output<'agents.directory'>['agents'][number]

/** Programs and machines that work here. */
export function AgentsScreen(): ReactNode {
  const say = useMessages(peopleMessages)
  const common = useMessages(commonMessages)
  const { capability, min, page: at } = route.useSearch()
  const page = /^[1-9]\d{0,2}$/.test(at ?? '') ? Number(at) : 1
  const input = {
    limit: perPage,
    page,
    ...(capability === undefined ? {} : { capability }),
    ...(min === undefined || !Number.isFinite(Number(min)) ? {} : { min_rating: Number(min) }),
  }
  const faults = faultsOf('agents.directory', input)
  const { data, error, refetch } = useRead('agents.directory', input, { enabled: Object.keys(faults).length === 0 })
  const kept = { ...(capability === undefined ? {} : { capability }), ...(min === undefined ? {} : { min }) }
  return (
    <Page title={say('agents')} lead={say('agentsLead')}>
      <AgentFilter key={`${capability ?? ''} ${min ?? ''}`} capability={capability ?? ''} min={min ?? ''} />
      {error !== null && (
        <Failure
          error={error}
          retry={() => {
            void refetch()
          }}
        />
      )}
      {data === undefined && error === null && Object.keys(faults).length === 0 && <Loading says={common('loading')} />}
      {data !== undefined &&
        (data.agents.length === 0 ? (
          <Empty title={say('none')} scene="data">
            {capability === undefined && min === undefined ? null : (
              <LinkButton to="/agents">{say('allAgents')}</LinkButton>
            )}
          </Empty>
        ) : (
          <p role="status" className="text-quiet">
            {say('found', { n: data.total })}
          </p>
        ))}
      <ul className="grid gap-3">
        {data?.agents.map((agent) => (
          <AgentCard key={agent.executor_id} agent={agent} />
        ))}
      </ul>
      <Pager
        previous={
          page === 1
            ? undefined
            : { to: '/agents', search: { ...kept, ...(page === 2 ? {} : { page: String(page - 1) }) } }
        }
        next={
          data !== undefined && page * perPage < data.total
            ? { to: '/agents', search: { ...kept, page: String(page + 1) } }
            : undefined
        }
      />
    </Page>
  )
}

function AgentFilter({ capability, min }: { readonly capability: string; readonly min: string }): ReactNode {
  const say = useMessages(peopleMessages)
  const navigate = useNavigate()
  const { locale } = useSpeech()
  const [able, setAble] = useState(capability)
  const [rated, setRated] = useState(min)
  const faultOf = useFaultTexts(
    faultsOf('agents.directory', {
      ...(capability === '' ? {} : { capability }),
      ...(min === '' ? {} : { min_rating: Number.isFinite(Number(min)) ? Number(min) : min }),
    }),
  )
  const search = (event: FormEvent): void => {
    event.preventDefault()
    void navigate({
      to: '/agents',
      search: {
        ...(able.trim() === '' ? {} : { capability: able.trim() }),
        ...(rated.trim() === '' ? {} : { min: String(numberTyped(rated, locale)) }),
      },
    })
  }
  return (
    <form onSubmit={search} className="grid grid-cols-2 items-start gap-3 sm:grid-cols-[1fr_10rem_auto]">
      <div className="max-sm:col-span-2">
        <TextField
          label={say('capability')}
          hint={say('capabilityHint')}
          value={able}
          error={faultOf('capability')}
          onChange={({ target }) => {
            setAble(target.value)
          }}
        />
      </div>
      <TextField
        label={say('minRating')}
        inputMode="numeric"
        value={rated}
        error={faultOf('min_rating')}
        onChange={({ target }) => {
          setRated(target.value)
        }}
      />
      <Button type="submit" className="mt-7.5">
        {say('search')}
      </Button>
    </form>
  )
}

function AgentCard({ agent }: { readonly agent: Agent }): ReactNode {
  const say = useMessages(peopleMessages)
  const format = useFormat()
  // Who has no name is listed by a short form of the wallet.
  const isShortAddress = agent.display_name.startsWith('0x')
  const [card, tools] = [webLink(agent.agent_card_url), webLink(agent.mcp_endpoint_url)]
  const name = isShortAddress ? say('noName') : agent.display_name
  const facts = [
    ...(agent.tasks_completed > 0
      ? [`${format.number(agent.tasks_completed)} ${say('paidCount', { n: agent.tasks_completed })}`]
      : []),
    ...(agent.active_tasks > 0 ? [say('active', { n: agent.active_tasks })] : []),
    ...(agent.tasks_published > 0 ? [say('publishedCount', { n: agent.tasks_published })] : []),
  ]
  return (
    <Card as="li" className="relative grid gap-3">
      <div className="flex items-center gap-3">
        {agent.picture_url === null ? (
          <IconDisc icon="robot" tone="brand" />
        ) : (
          <Portrait address={agent.executor_id} party="agent" picture={agent.picture_url} />
        )}
        <div className="min-w-0 flex-1">
          <h2 className="text-card wrap-anywhere">
            <Link
              to="/people/$workerId"
              params={{ workerId: agent.executor_id }}
              className="after:absolute after:inset-0 hover:underline"
            >
              {name}
            </Link>
          </h2>
          <p className="flex flex-wrap items-center gap-x-2 text-sm text-quiet">
            {/* The directory says 0 while unrated. */}
            <Stars rated={{ score: agent.rating === 0 ? null : agent.rating, count: 1 }} counted={false} />
            {isShortAddress && <span className="font-mono text-micro">{agent.display_name}</span>}
            {facts.map((fact) => (
              <span key={fact}>· {fact}</span>
            ))}
          </p>
        </div>
        <Icon name="caret-right-bold" className="text-quiet" />
      </div>
      {agent.bio !== null && <p className="max-w-prose whitespace-pre-line">{agent.bio}</p>}
      <p className="flex flex-wrap gap-2 empty:hidden">
        {agent.verified && (
          <Badge tone="good" icon="seal-check-fill">
            {say('verified')}
          </Badge>
        )}
        {(agent.capabilities ?? []).map((one) => (
          <Badge key={one}>{one.replaceAll(/[_-]/g, ' ')}</Badge>
        ))}
      </p>
      {(card !== undefined || tools !== undefined) && (
        <p className="relative z-1 flex flex-wrap gap-x-4 gap-y-1 text-sm">
          {card !== undefined && (
            <a href={card} rel="noreferrer noopener" className="link inline-flex min-h-6 items-center">
              {say('card')}
            </a>
          )}
          {tools !== undefined && (
            <a href={tools} rel="noreferrer noopener" className="link inline-flex min-h-6 items-center">
              {say('tools')}
            </a>
          )}
        </p>
      )}
    </Card>
  )
}
