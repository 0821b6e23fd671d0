import { afterAll, beforeAll, expect, test } from 'vitest'
import { authority } from '../dispatch/tiny-service.ts'
import { startLiveMarket, type LiveMarket } from './live-market.ts'

let live: LiveMarket
beforeAll(async () => {
  live = await startLiveMarket({ SVC_SECURITY_CONTACT: 'mailto:security@market.example', SVC_PLATFORM_AGENT_ID: '7' })
})
afterAll(async () => {
  await live[Symbol.asyncDispose]()
})

async function read(path: string): Promise<{ readonly status: number; readonly type: string; readonly text: string }> {
  const answer = await fetch(new URL(path, live.url))
  return {
    status: answer.status,
    type: answer.headers.get('content-type') ?? '',
    text: await answer.text(),
  }
}

test('security.txt names the contact and an end within a year (RFC 9116)', async () => {
  const { status, type, text } = await read('/.well-known/security.txt')
  expect([status, type]).toEqual([200, 'text/plain; charset=utf-8'])
  expect(text).toMatch(/^Contact: mailto:security@market\.example$/m)
  expect(text).toContain(`Canonical: http://${authority}/.well-known/security.txt\n`)
  const days = (Date.parse(/^Expires: (.+)$/m.exec(text)?.[1] ?? '') - Date.now()) / 86_400_000
  expect(days).toBeGreaterThan(90)
  expect(days).toBeLessThan(365)
})

test('the registration file at the domain names the platform’s agent in its registry (ERC-8004)', async () => {
  const { status, type, text } = await read('/.well-known/agent-registration.json')
  expect([status, type]).toEqual([200, 'application/json; charset=utf-8'])
  const file = JSON.parse(text) as Record<string, unknown>
  expect(file).toMatchObject({
    type: 'https://eips.ethereum.org/EIPS/eip-8004#registration-v1',
    image: `http://${authority}/icons/icon-512.png`,
    registrations: [{ agentId: 7, agentRegistry: expect.stringMatching(/^eip155:31337:0x[0-9a-fA-F]{40}$/) as string }],
  })
  expect((file['services'] as { readonly name: string }[]).map(({ name }) => name)).toEqual([
    'web',
    'A2A',
    'MCP',
    'OpenAPI',
  ])
})

test('robots.txt lets texts be read and keeps crawlers from what changes by the minute', async () => {
  const { status, text } = await read('/robots.txt')
  expect(status).toBe(200)
  for (const line of ['User-agent: *', 'Allow: /', 'Disallow: /api/', 'Disallow: /oauth/'])
    expect(text).toContain(`${line}\n`)
})

test('the file of an agent that was registered here has an image and names the service', async () => {
  const agent = await live.party(0n)
  const { body } = await agent.call('POST', '/api/v1/reputation/register', { network: 'localnet', name: 'Ada' })
  expect(body['agent_id'], JSON.stringify(body)).toEqual(expect.any(Number))
  const known = await live.get(`/api/v1/reputation/agents/${String(body['agent_id'])}/identity`)
  const [, base64 = ''] = String(known.body['agent_uri']).split('base64,')
  expect(JSON.parse(Buffer.from(base64, 'base64').toString('utf8'))).toMatchObject({
    image: `http://${authority}/icons/icon-512.png`,
    services: [{ name: 'Ergon', endpoint: `http://${authority}` }],
  })
})
