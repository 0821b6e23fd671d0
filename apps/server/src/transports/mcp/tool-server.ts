import {
  bearerNeed,
  operations,
  readToolsets,
  toolProtocolVersion,
  toolsetNames,
  toolsetsParameter,
  toolsOf,
  type About,
} from '@ergon/contract'
import {
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type CallToolResult,
  type ListToolsResult,
  type McpServerFactory,
} from '@modelcontextprotocol/server'
import { reaches } from '../../dispatch/demand-scope.ts'
import type { Served } from '../../dispatch/dispatch.ts'
import type { WalletActions } from '../../dispatch/wallet-actions.ts'
import { createCompletions } from './completions.ts'
import type { Fixtures, Message } from './fixtures.ts'
import type { InnerCall, Sender } from './inner-call.ts'
import { instructions } from './instructions.ts'
import { withProgress } from './progress.ts'
import { promptList, promptOf } from './prompts.ts'
import { createResourceReader, resources, templates } from './resources.ts'
import { fittingPage } from './fitting-page.ts'
import { callTool, prepareTools } from './tool-call.ts'
import { toolResult } from './tool-result.ts'
import { createToolActions, type ToolActions } from './wallet-action.ts'

/** One request: who sent it, and what it asks. */
export type Exchange = { readonly sender: Sender; readonly message: Message }

export type ToolServerDeps = {
  readonly calls: InnerCall
  readonly walletActions: WalletActions
  readonly about: About & { readonly mcpUrl: string }
  /** Who the exchange of a request belongs to, as the door noted it. */
  readonly exchangeOf: (authInfo: Parameters<McpServerFactory>[0]['authInfo']) => Exchange
  readonly fixtures: Fixtures | undefined
  readonly onCall: (tool: string, sender: Sender, served: Served) => void
}

type Json = Readonly<Record<string, unknown>>

const fiveMinutes = { ttlMs: 300_000, cacheScope: 'public' } as const
const cacheHints = {
  'tools/list': fiveMinutes,
  'prompts/list': fiveMinutes,
  'resources/list': fiveMinutes,
  'resources/templates/list': fiveMinutes,
  'server/discover': fiveMinutes,
} as const

/** Makes the server of one request (decision 0063): nothing is kept between requests, and schemas are built once. */
export function createToolServerFactory({
  calls,
  walletActions,
  about,
  exchangeOf,
  onCall,
  fixtures,
}: ToolServerDeps): McpServerFactory {
  const prepared = prepareTools()
  const list = createToolList(prepared, fixtures)
  const read = createResourceReader(calls, about)
  const complete = createCompletions(calls)
  const identity = { name: 'ergon', title: 'Ergon', version: toolProtocolVersion, websiteUrl: about.baseUrl }

  const call = createToolCall(calls, prepared, createToolActions(calls, walletActions), onCall)

  return ({ authInfo, era }) => {
    const exchange = exchangeOf(authInfo)
    const { sender, message } = exchange
    const capabilities = {
      tools: {},
      prompts: {},
      completions: {},
      resources: era === 'modern' ? { subscribe: true } : {},
      ...fixtures?.options.capabilities,
    }
    const server = new Server(identity, {
      ...fixtures?.options,
      capabilities,
      instructions,
      cacheHints: hintsFor(sender),
    })
    if (fixtures?.serve(server, message) === true) return server
    // Only what this one request asks for is set up.
    switch (message.method) {
      case 'tools/call':
        server.setRequestHandler('tools/call', ({ params }, context) =>
          withProgress(context, () => call(params.name, params.arguments ?? {}, exchange)),
        )
        break
      case 'tools/list':
        server.setRequestHandler('tools/list', ({ params }) => onePage(params, list(sender)))
        break
      case 'resources/list':
        server.setRequestHandler('resources/list', ({ params }) =>
          onePage(params, { resources: [...resources, ...(fixtures?.resources ?? [])] }),
        )
        break
      case 'resources/templates/list':
        server.setRequestHandler('resources/templates/list', ({ params }) =>
          onePage(params, { resourceTemplates: [...templates, ...(fixtures?.templates ?? [])] }),
        )
        break
      case 'resources/read':
        server.setRequestHandler('resources/read', ({ params }) => read(params.uri, sender))
        break
      case 'prompts/list':
        server.setRequestHandler('prompts/list', ({ params }) =>
          onePage(params, { prompts: [...promptList, ...(fixtures?.prompts ?? [])] }),
        )
        break
      case 'prompts/get':
        server.setRequestHandler('prompts/get', ({ params }) => promptOf(params.name, params.arguments ?? {}))
        break
      case 'completion/complete':
        server.setRequestHandler('completion/complete', ({ params }) => complete(params, sender))
        break
    }
    return server
  }
}

/** Lists are one page, so every cursor is one that was never handed out. @throws ProtocolError */
function onePage<T>(params: { readonly cursor?: unknown } | undefined, page: T): T {
  if (params?.cursor !== undefined)
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'This cursor was not handed out here: lists are one page.')
  return page
}

/** What a token sees is its own: whoever keeps answers for others keeps none of it. */
function hintsFor({ principal: { grant } }: Sender): typeof cacheHints | Readonly<Record<string, object>> {
  return grant === undefined ? cacheHints : { ...cacheHints, 'tools/list': { ...fiveMinutes, cacheScope: 'private' } }
}

/**
 * The tools that a sender may call: all of them, or those that its token reaches (spec §5, OAuth 7). One that releases
 * money is listed to every token: its scope is asked for when it is called and soon ends (OAuth 8 and 9), and no model
 * calls a tool that it was not shown.
 */
function createToolList(
  prepared: ReturnType<typeof prepareTools>,
  fixtures: Fixtures | undefined,
): (sender: Sender) => ListToolsResult {
  const known = [...prepared.values()].map(({ document, tool }) => ({
    document,
    need: bearerNeed(operations[tool.operation]),
  }))
  const listed = (documents: readonly object[]): ListToolsResult =>
    // Schemas of the contract are JSON schemas.
    ({ tools: [...documents, ...(fixtures?.tools ?? [])] }) as unknown as ListToolsResult
  const all = listed(known.map(({ document }) => document))
  return ({ principal: { grant }, request }) => {
    const named = namedIn(request.target)
    if (grant === undefined && named === undefined) return all
    return listed(
      known
        .filter(({ need }) => grant === undefined || need === 'agent:approve' || reaches(grant, need))
        .filter(({ document: { name } }) => named?.has(name) ?? true)
        .map(({ document }) => document),
    )
  }
}

/** The tools of the sets that an address names (decision 0324); undefined where it names none. @throws ProtocolError */
function namedIn(target: string): ReadonlySet<string> | undefined {
  const text = new URLSearchParams(target.split('?')[1]).get(toolsetsParameter)
  if (text === null) return undefined
  const { sets, unknown } = readToolsets(text)
  if (unknown === undefined) return toolsOf(sets)
  const said = unknown.slice(0, 60).toWellFormed()
  throw new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    `There are no tools ${said}: ${toolsetsParameter} is any of ${toolsetNames.join(', ')}, separated by commas.`,
  )
}

type ToolCall = (name: string, given: Json, exchange: Exchange) => Promise<CallToolResult>

/** Calls a tool; where the caller's wallet has to sign, the answer is the action that it has to take. */
function createToolCall(
  calls: ToolServerDeps['calls'],
  prepared: ReturnType<typeof prepareTools>,
  actions: ToolActions,
  onCall: ToolServerDeps['onCall'],
): ToolCall {
  return async (name: string, said: Json, { sender, message: { sources } }: Exchange): Promise<CallToolResult> => {
    const tool = prepared.get(name)
    if (tool === undefined)
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no tool ${name.slice(0, 60).toWellFormed()}.`)
    const given = tool.leaveOut(said)
    const first = await actions.before(tool, sender, given)
    if (first !== undefined) return first
    const run = (args: Json): Promise<Served> => callTool(calls, tool, sender, args, sources)
    const served = tool.isList ? await fittingPage(given, run) : await run(given)
    onCall(name, sender, served)
    return (served.code === null ? undefined : await actions.after(tool, sender, given, served)) ?? toolResult(served)
  }
}
