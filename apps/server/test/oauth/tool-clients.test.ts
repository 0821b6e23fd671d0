import { randomUUID } from 'node:crypto'
import { Client, StreamableHTTPClientTransport, UnauthorizedError } from '@modelcontextprotocol/client'
import { UnauthorizedError as OldUnauthorizedError } from '@modelcontextprotocol/sdk/client/auth.js'
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { aTask, type Party } from '../http/live-market.ts'
import { body, type Answer } from '../mcp/live-tools.ts'
import { HostMemory } from './host-memory.ts'
import { basic, consent, createVisitor, startLiveOAuth, type LiveOAuth } from './live-oauth.ts'

/** The public tool clients, unmodified, sign in by themselves: they know the address of the tools and nothing else. */
let live: LiveOAuth
let party: Party
let ahead = 0
beforeAll(async () => {
  live = await startLiveOAuth({}, { now: () => new Date(Date.now() + ahead) })
  party = await live.market.party(0n)
})
afterAll(() => live?.[Symbol.asyncDispose]())

type Connected = AsyncDisposable & {
  call(tool: string, args?: Readonly<Record<string, unknown>>): Promise<Answer>
  tools(): Promise<readonly { readonly name: string }[]>
  finish(back: URLSearchParams): Promise<void>
}
type Connection = { readonly finish: Connected['finish']; readonly ready: Promise<Connected> }

const isUnauthorized = (error: unknown): boolean =>
  error instanceof UnauthorizedError || error instanceof OldUnauthorizedError
const about = { name: 'a host', version: '1' }
const address = (): URL => new URL(`${live.issuer}/mcp/`)

const current =
  (mode: 'auto' | 'legacy') =>
  (memory: HostMemory): Connection => {
    const client = new Client(about, mode === 'auto' ? { versionNegotiation: { mode } } : {})
    const transport = new StreamableHTTPClientTransport(address(), { authProvider: memory })
    const finish = (back: URLSearchParams): Promise<void> => transport.finishAuth(back)
    return {
      finish,
      ready: client.connect(transport).then(() => ({
        finish,
        // Tools here answer structured content.
        call: async (name, args = {}) => (await client.callTool({ name, arguments: { ...args } })) as Answer,
        tools: async () => (await client.listTools()).tools,
        [Symbol.asyncDispose]: () => client.close(),
      })),
    }
  }

function old(memory: HostMemory): Connection {
  const client = new OldClient(about)
  const transport = new OldTransport(address(), { authProvider: memory })
  const finish = (back: URLSearchParams): Promise<void> => transport.finishAuth(back.get('code') ?? '')
  return {
    finish,
    // The transport's types are older than this compiler's strictest options.
    ready: client.connect(transport as Parameters<typeof client.connect>[0]).then(() => ({
      finish,
      call: async (name, args = {}) => (await client.callTool({ name, arguments: { ...args } })) as Answer, // as above
      tools: async () => (await client.listTools()).tools,
      [Symbol.asyncDispose]: () => client.close(),
    })),
  }
}

const approval: readonly [string, string][] = [
  ['approve', 'yes'],
  ['usd', '2.50'],
  ['count', '2'],
]

/** The person whose browser the host opened allows it, and the host is told. */
async function allow(memory: HostMemory, finish: Connected['finish'], more: readonly [string, string][] = []) {
  const asked = memory.opened
  if (asked === undefined) throw new Error('the host opened no browser')
  expect(asked.searchParams.get('resource')).toBe(`${live.issuer}/mcp`)
  const back = await consent(asked.href, party, { more, visitor: createVisitor() })
  expect(`${back.origin}${back.pathname}`).toBe(memory.redirectUrl)
  expect([back.searchParams.get('iss'), back.searchParams.get('state')]).toEqual([live.issuer, memory.states.at(-1)])
  memory.opened = undefined
  await finish(back.searchParams)
}

async function signIn(
  connect: (memory: HostMemory) => Connection,
  memory: HostMemory,
  more: readonly [string, string][] = [],
): Promise<Connected> {
  const { ready, finish } = connect(memory)
  await expect(ready).rejects.toSatisfy(isUnauthorized)
  await allow(memory, finish, more)
  return connect(memory).ready
}

const approve = { submission_id: randomUUID() }

describe.each([
  ['of 2026-07-28', current('auto')],
  ['of 2025-11-25', current('legacy')],
  ['of the first generation', old],
] as const)('the public client %s', (era, connect) => {
  test('discovers, registers, signs in, calls a tool and renews its token', async () => {
    const memory = new HostMemory()
    await using host = await signIn(connect, memory)
    expect(memory.kept).toMatchObject({ token_type: 'Bearer', expires_in: 3_600, scope: basic.join(' ') })
    const names = (await host.tools()).map(({ name }) => name)
    expect(names).toContain('svc_publish_task')
    expect(names).not.toContain('svc_submit_work')
    const { id } = body(await host.call('svc_publish_task', aTask()))
    const first = memory.kept
    ahead += 3_601_000
    expect(body(await host.call('svc_get_task', { task_id: id }))).toMatchObject({ id, status: 'published' })
    expect(memory.opened).toBeUndefined()
    expect(memory.kept?.refresh_token).not.toBe(first?.refresh_token)
  })

  test('whose grant was taken back is sent to sign in anew', async () => {
    const memory = new HostMemory()
    await using host = await signIn(connect, memory)
    const form = { token: memory.kept?.refresh_token ?? '', client_id: memory.clientInformation()?.client_id ?? '' }
    await fetch(`${live.issuer}/oauth/revoke`, { method: 'POST', body: new URLSearchParams(form) })
    const refused = () => host.call('svc_get_fees').catch((error: unknown) => error)
    await expect.poll(refused).toSatisfy(isUnauthorized)
    await allow(memory, (back) => host.finish(back))
    expect(body(await host.call('svc_get_fees'))).toBeDefined()
  })

  test('is told what is missing for an approval, and has it after the person allowed it', async () => {
    const memory = new HostMemory()
    await using host = await signIn(connect, memory)
    const refused = await host.call('svc_approve_submission', approve).then(
      () => undefined,
      (error: unknown) => error,
    )
    expect(refused).toBeInstanceOf(Error)
    if (era === 'of the first generation') {
      // It renews what it holds instead of asking for more; what a person reads says what to do.
      expect(String(refused)).toMatch(/403/)
      memory.kept = undefined
      await using again = await signIn(connect, memory, approval)
      expect(await again.call('svc_approve_submission', approve)).toMatchObject({ isError: true })
      expect(memory.kept).toMatchObject({ expires_in: 900 })
      return
    }
    expect(refused).toBeInstanceOf(UnauthorizedError)
    expect(memory.opened?.searchParams.get('scope')?.split(' ')).toEqual(
      expect.arrayContaining([...basic, 'agent:approve']),
    )
    await allow(memory, (back) => host.finish(back), approval)
    expect(memory.kept).toMatchObject({ expires_in: 900, scope: [...basic, 'agent:approve'].join(' ') })
    // Past the gate: the submission is none.
    const answer = await host.call('svc_approve_submission', approve)
    expect(answer).toMatchObject({ isError: true, structuredContent: { code: 'SUBMISSION_NOT_FOUND' } })
  })
})
