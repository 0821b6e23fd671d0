import { useState, type FormEvent, type ReactNode } from 'react'
import type { Output } from '@ergon/sdk'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { Button, LinkButton } from '../components/button.tsx'
import { Failure } from '../components/failure.tsx'
import { SelectField, TextField } from '../components/field.tsx'
import { Icon } from '../components/icon.tsx'
import { Page } from '../components/page.tsx'
import { Pager } from '../components/pager.tsx'
import { Stars } from '../components/person.tsx'
import { Portrait } from '../components/portrait.tsx'
import { Badge, Card, Empty, Loading } from '../components/surface.tsx'
import { readAgentFilter } from '../features/people/agent-filter.ts'
import { peopleMessages } from '../features/people/messages.ts'
import { useFormat } from '../lib/format.ts'
import { useMessages } from '../lib/i18n.tsx'
import { useRead } from '../lib/market.tsx'
import { shortAddress } from '../lib/short-address.ts'
import { webLink } from '../lib/web-link.ts'
import { commonMessages } from '../messages/common-messages.ts'
import { personMessages } from '../messages/person.ts'

const route = getRouteApi('/agents')
const perPage = 20
/** Scores of 100 that are told as stars. */
const floors = [60, 80, 90] as const

type Agent = Output<'agents.directory'>['agents'][number]

/** Programs and machines that work here. */
export function AgentsScreen(): ReactNode {
  const say = useMessages(peopleMessages)
  const common = useMessages(commonMessages)
  const search = route.useSearch()
  const { capability, min, fitsNobody } = readAgentFilter(search)
  const page = /^[1-9]\d{0,2}$/.test(search['page'] ?? '') ? Number(search['page']) : 1
  const { data, error, refetch } = useRead(
    'agents.directory',
    {
      limit: perPage,
      page,
      ...(capability === undefined ? {} : { capability }),
      ...(min === undefined ? {} : { min_rating: min }),
    },
    { enabled: !fitsNobody },
  )
  const kept = {
    ...(capability === undefined ? {} : { capability }),
    ...(min === undefined ? {} : { min: String(min) }),
  }
  const isFiltered = Object.keys(kept).length > 0
  return (
    <Page title={say('agents')} lead={say('agentsLead')}>
      <AgentFilter key={JSON.stringify(search)} capability={capability ?? search['capability']} min={min} />
      {error !== null && (
        <Failure
          error={error}
          retry={() => {
            void refetch()
          }}
        />
      )}
      {fitsNobody && <Nobody isFiltered />}
      {data === undefined && error === null && !fitsNobody && <Loading says={common('loading')} />}
      {data !== undefined &&
        (data.agents.length === 0 ? (
          <Nobody isFiltered={isFiltered} />
        ) : (
          <p role="status" className="text-quiet">
            {say('found', { n: data.total })}
          </p>
        ))}
      <ul className="grid gap-3 empty:hidden">
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

function Nobody({ isFiltered }: { readonly isFiltered: boolean }): ReactNode {
  const say = useMessages(peopleMessages)
  return (
    <Empty title={say(isFiltered ? 'noneLike' : 'noAgents')} scene="data">
      {isFiltered ? (
        <LinkButton to="/agents" search={{}}>
          {say('allAgents')}
        </LinkButton>
      ) : (
        <LinkButton to="/developers">{say('connectAgent')}</LinkButton>
      )}
    </Empty>
  )
}

type FilterProps = { readonly capability: string | undefined; readonly min: number | undefined }

/** What is typed is read as an address is. */
function AgentFilter({ capability = '', min }: FilterProps): ReactNode {
  const say = useMessages(peopleMessages)
  const format = useFormat()
  const navigate = useNavigate()
  const [able, setAble] = useState(capability.replaceAll('_', ' '))
  const search = (rated: string): void => {
    const asked = readAgentFilter({ capability: able, min: rated })
    void navigate({
      to: '/agents',
      search: {
        ...(able.trim() === '' ? {} : { capability: asked.capability ?? able.trim() }),
        ...(asked.min === undefined ? {} : { min: String(asked.min) }),
      },
    })
  }
  const rated = min === undefined ? '' : String(min)
  const choices: readonly number[] =
    min === undefined || floors.some((one) => one === min) ? floors : [...floors, min].toSorted((a, b) => a - b)
  return (
    <form
      role="search"
      onSubmit={(event: FormEvent) => {
        event.preventDefault()
        search(rated)
      }}
      className="grid grid-cols-[1fr_auto] items-end gap-3 sm:grid-cols-[1fr_13rem_auto]"
    >
      <div className="max-sm:col-span-2">
        <TextField
          label={say('capability')}
          placeholder={say('capabilityLike')}
          autoComplete="off"
          enterKeyHint="search"
          maxLength={50}
          value={able}
          onChange={({ target }) => {
            setAble(target.value)
          }}
        />
      </div>
      <SelectField
        label={say('minRating')}
        value={rated}
        onChange={({ target }) => {
          search(target.value)
        }}
      >
        <option value="">{say('anyRating')}</option>
        {choices.map((score) => (
          <option key={score} value={score}>
            {say('starsOrMore', { stars: format.number(score / 20, { maximumFractionDigits: 1 }) })}
          </option>
        ))}
      </SelectField>
      <Button type="submit">{say('search')}</Button>
    </form>
  )
}

function AgentCard({ agent }: { readonly agent: Agent }): ReactNode {
  const say = useMessages(peopleMessages)
  const people = useMessages(personMessages)
  // Who has no name is listed by a short form of the wallet.
  const short = shortAddress(agent.wallet_address)
  const name = agent.display_name === short ? undefined : agent.display_name
  const [card, tools] = [webLink(agent.agent_card_url), webLink(agent.mcp_endpoint_url)]
  return (
    <Card as="li" className="relative grid gap-3">
      <div className="flex items-center gap-3">
        <Portrait
          address={agent.wallet_address}
          party={agent.executor_type}
          name={name}
          picture={agent.picture_url}
          size={44}
        />
        <div className="grid min-w-0 flex-1 gap-0.5">
          <h2 className="text-card leading-tight wrap-anywhere">
            <Link
              to="/people/$workerId"
              params={{ workerId: agent.executor_id }}
              className="after:absolute after:inset-0 hover:underline"
            >
              {name ?? people(`kind.${agent.executor_type}`)}
            </Link>
          </h2>
          <p className="flex flex-wrap items-center gap-x-2 text-sm text-quiet">
            {name === undefined ? (
              <span className="font-mono text-micro">{short}</span>
            ) : (
              <span>{people(`kind.${agent.executor_type}`)}</span>
            )}
            <span aria-hidden="true">·</span>
            {/* The directory says 0 while unrated. */}
            <Stars rated={{ score: agent.rating === 0 ? null : agent.rating, count: 1 }} counted={false} />
          </p>
        </div>
        <Icon name="caret-right-bold" className="text-quiet" />
      </div>
      {agent.bio !== null && <p className="max-w-prose whitespace-pre-line wrap-anywhere">{agent.bio}</p>}
      <Marks of={agent} />
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

/** What it has done, what it can do, and whether it shows who it is. */
function Marks({ of: agent }: { readonly of: Agent }): ReactNode {
  const say = useMessages(peopleMessages)
  const format = useFormat()
  const facts = [
    ...(agent.tasks_completed > 0
      ? [`${format.number(agent.tasks_completed)} ${say('paidCount', { n: agent.tasks_completed })}`]
      : []),
    ...(agent.active_tasks > 0 ? [say('active', { n: agent.active_tasks })] : []),
    ...(agent.tasks_published > 0 ? [say('publishedCount', { n: agent.tasks_published })] : []),
  ]
  return (
    <>
      {facts.length > 0 && <p className="numbers text-sm text-quiet">{facts.join(' · ')}</p>}
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
    </>
  )
}
