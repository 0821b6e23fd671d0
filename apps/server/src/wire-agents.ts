import { randomUUID } from 'node:crypto'
import { tools, type About } from '@ergon/contract'
import type { Market } from '@ergon/core'
import type { FastifyInstance } from 'fastify'
import { createA2aAnswers, type AnswersDeps } from './api/a2a/answers.ts'
import { staysOfSender } from './api/sender-stays.ts'
import type { Config } from './config/config.ts'
import type { Accounts } from './dispatch/accounts.ts'
import type { BearerGrants } from './dispatch/bearer-grants.ts'
import { createBearers, type BearersDeps } from './dispatch/bearers.ts'
import type { Limits } from './dispatch/limits.ts'
import { createWalletActions } from './dispatch/wallet-actions.ts'
import { heardBy } from './events/heard-by.ts'
import { addA2a, type A2aDeps } from './transports/a2a/a2a.ts'
import { createInnerCall } from './transports/mcp/inner-call.ts'
import { addToolServer, type McpDeps } from './transports/mcp/mcp-route.ts'
import { wireDocuments, type DocumentsConfig } from './wire-documents.ts'
import type { WiredLinks } from './wire-linked-signer.ts'

export type AgentsDeps = Pick<AnswersDeps, 'onEvent' | 'push' | 'live'> & {
  readonly config: Pick<Config, 'authorities' | 'mcpUrl'> & DocumentsConfig
  readonly baseUrl: string
  /** Where the tools are. */
  readonly mcpUrl: string
  readonly version: string
  readonly market: Market
  readonly grants: BearerGrants | null
  readonly meters: McpDeps['meters']
  readonly linked: Pick<WiredLinks, 'signs'>
  readonly toolFixtures: McpDeps['fixtures']
  readonly now: () => Date
}

export type AgentsCore = Pick<A2aDeps, 'dispatch' | 'plan' | 'handlers'> &
  Pick<McpDeps, 'authenticate' | 'isAdminKey'> & {
    readonly limits: Limits
    readonly accounts: Accounts
    readonly people: Pick<McpDeps, 'origins'> & AnswersDeps['people']
    readonly oauth: { readonly grants: BearerGrants } | null
    /** Milliseconds. */
    readonly now: () => number
  }

/** Agent-to-agent, tools, and the documents that describe them. */
export function openAgentTransports(
  server: FastifyInstance,
  deps: AgentsDeps,
  core: AgentsCore,
  { onRequest, onFault }: Pick<McpDeps, 'onRequest' | 'onFault'>,
): void {
  const { config, market, baseUrl, mcpUrl, version } = deps
  const { dispatch, plan, handlers, authenticate, isAdminKey, limits, accounts, people, now } = core
  const walletActions = createWalletActions({ linked: deps.linked.signs?.signer ?? null })
  const answers = createA2aAnswers({
    market,
    baseUrl,
    now: deps.now,
    live: deps.live,
    people,
    handlers,
    nextId: () => randomUUID(),
    onEvent: deps.onEvent,
    push: deps.push,
    walletActions,
  })
  addA2a(server, { dispatch, plan, handlers, answers, faultOf: deps.push.faultOf, onRequest, onFault })
  const about: About & { readonly mcpUrl: string } = {
    baseUrl,
    mcpUrl,
    version,
    tools: Object.entries(tools).map(([name, { title }]) => ({ name, title })),
  }
  const tokens = tokensOf(deps, core)
  addToolServer(server, {
    calls: createInnerCall(dispatch, handlers, plan),
    walletActions,
    about,
    authenticate,
    isAdminKey,
    limits,
    now,
    authorities: config.authorities,
    origins: people.origins,
    bearers: tokens === null ? null : createBearers({ ...tokens, accounts, limits, now }),
    listen: heardBy(deps.onEvent),
    meters: deps.meters,
    staysOf: (sender) => staysOfSender({ now: deps.now, live: deps.live, people, tokens }, sender),
    fixtures: deps.toolFixtures,
    onRequest,
    onFault,
  })
  wireDocuments(server, about, deps)
}

/** Tokens are for the tool endpoint by its name without the slash (spec §5, OAuth 2); null while the rail is off. */
function tokensOf(
  { config, grants: given }: AgentsDeps,
  { oauth }: AgentsCore,
): Pick<BearersDeps, 'grants' | 'resource' | 'metadataUrl'> | null {
  const grants = given ?? oauth?.grants ?? null
  if (grants === null) return null
  return {
    grants,
    resource: `${config.mcpUrl}/mcp`,
    metadataUrl: `${config.mcpUrl}/.well-known/oauth-protected-resource/mcp`,
  }
}
