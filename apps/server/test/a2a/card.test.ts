import type { AgentCard } from '@a2a-js/sdk'
import * as Type from 'typebox'
import { Value } from 'typebox/value'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startLiveMarket, type LiveMarket } from '../http/live-market.ts'

let live: LiveMarket
beforeAll(async () => {
  live = await startLiveMarket()
})
afterAll(async () => {
  await live[Symbol.asyncDispose]()
})

const said = Type.String({ minLength: 1 })
const closed = { additionalProperties: false }
const url = Type.String({ pattern: '^https?://' })
/** What a card of version 0.3.0 holds, and nothing else. */
const card030 = Type.Object(
  {
    protocolVersion: Type.Literal('0.3.0'),
    name: said,
    description: said,
    version: said,
    url,
    preferredTransport: Type.Literal('JSONRPC'),
    additionalInterfaces: Type.Array(
      Type.Object({ url, transport: Type.Enum(['JSONRPC', 'GRPC', 'HTTP+JSON']) }, closed),
      {
        minItems: 1,
      },
    ),
    provider: Type.Object({ organization: said, url }, closed),
    documentationUrl: url,
    capabilities: Type.Object(
      {
        streaming: Type.Boolean(),
        pushNotifications: Type.Boolean(),
        stateTransitionHistory: Type.Boolean(),
        extensions: Type.Array(
          Type.Object(
            {
              uri: url,
              description: said,
              required: Type.Boolean(),
              params: Type.Record(Type.String(), Type.Unknown()),
            },
            closed,
          ),
        ),
      },
      closed,
    ),
    securitySchemes: Type.Record(
      Type.String(),
      Type.Object(
        { type: Type.Literal('apiKey'), in: Type.Enum(['cookie', 'header', 'query']), name: said, description: said },
        closed,
      ),
    ),
    security: Type.Array(Type.Record(Type.String(), Type.Array(Type.String()))),
    supportsAuthenticatedExtendedCard: Type.Boolean(),
    defaultInputModes: Type.Array(said, { minItems: 1 }),
    defaultOutputModes: Type.Array(said, { minItems: 1 }),
    skills: Type.Array(
      Type.Object({ id: said, name: said, description: said, tags: Type.Array(said, { minItems: 1 }) }, closed),
      { minItems: 1 },
    ),
  },
  closed,
)

/** What a card of 1.x has beside it; readers of 0.3.0 pass it over. */
const newer = ['supportedInterfaces', 'securityRequirements']
const withoutNewer = (card: unknown): unknown =>
  JSON.parse(JSON.stringify(card), (key, value: unknown) =>
    [...newer, 'extendedAgentCard', 'apiKeySecurityScheme'].includes(key) ? undefined : value,
  )

test('the card is one of 0.3.0, names this service first among its interfaces, and only schemes that it defines', async () => {
  const card: unknown = await (await fetch(`${live.url}/.well-known/agent-card.json`)).json()
  expect([...Value.Errors(card030, withoutNewer(card))]).toEqual([])
  expect(card).toMatchObject({ supportedInterfaces: [{ protocolBinding: 'JSONRPC', protocolVersion: '1.0' }, {}] })
  const known = card as AgentCard // as just checked
  expect(known.additionalInterfaces).toContainEqual({ url: known.url, transport: known.preferredTransport })
  expect(known.url).toMatch(/\/a2a$/)
  for (const one of known.security ?? [])
    for (const name of Object.keys(one)) expect(Object.keys(known.securitySchemes ?? {})).toContain(name)
})

test('both well-known names give the same bytes to any page, and nothing to who has them', async () => {
  const [one, other] = await Promise.all(
    ['agent-card', 'agent'].map((name) => fetch(`${live.url}/.well-known/${name}.json`)),
  )
  expect(await one?.text()).toBe(await other?.text())
  for (const answer of [one, other]) expect(answer?.headers.get('access-control-allow-origin')).toBe('*')
  const etag = one?.headers.get('etag') ?? ''
  expect(etag).toMatch(/^"[\w-]{22}"$/)
  const again = await fetch(`${live.url}/.well-known/agent.json`, {
    headers: { 'if-none-match': `W/"other", ${etag}` },
  })
  expect([again.status, await again.text(), again.headers.get('etag')]).toEqual([304, '', etag])
  expect((await fetch(`${live.url}/.well-known/agent.json`, { headers: { 'if-none-match': '"other"' } })).status).toBe(
    200,
  )
})
