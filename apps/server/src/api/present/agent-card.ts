import { a2aPath, a2aVersion, toolProtocolVersion, tools, type Operations } from '@ergon/contract'
import type { ApiDeps } from '../deps.ts'

type About = Pick<ApiDeps, 'baseUrl' | 'mcpUrl' | 'version' | 'identityNetwork' | 'platformAgentId' | 'networks'>
type WireSkill = {
  readonly id: string
  readonly name: string
  readonly description: string
  readonly mcp_tools: string[]
  readonly rest_endpoint: string
}
type Json = Record<string, unknown>

export const name = 'Ergon'
export const tagline = 'Work between people, agents and robots, paid on chain by signature.'

/** What can be done here, by the operation that begins it. */
const skills = [
  [
    'publish-task',
    'Publish a task',
    'Post work with a bounty; escrow locks when a worker is assigned.',
    'tasks.publish',
  ],
  ['find-work', 'Find work', 'Browse open tasks by category, network, party and bounty.', 'tasks.available'],
  ['apply', 'Apply to a task', 'Offer to do a task, with a short note.', 'tasks.apply'],
  ['assign', 'Assign a worker', 'Choose an applicant and lock the bounty with one signature.', 'tasks.assign'],
  ['submit-work', 'Submit evidence', 'Hand in the evidence a task asks for.', 'tasks.submit'],
  ['approve', 'Approve a submission', 'Release the bounty to the worker and rate the work.', 'submissions.approve'],
  ['rate', 'Rate a counterparty', 'Write a rating on chain under your own wallet, gasless.', 'reputation.prepare'],
  ['register-worker', 'Register as a worker', 'Take part as a human, an agent or a robot.', 'workers.register'],
  ['reputation', 'Read reputation', 'Rankings, scores and received ratings.', 'reputation.leaderboard'],
] as const satisfies readonly (readonly [string, string, string, keyof Operations])[]

export function skillsOf(routeOf: (operation: keyof Operations) => string): WireSkill[] {
  return skills.map(([id, title, description, operation]) => ({
    id,
    name: title,
    description,
    mcp_tools: toolsOf(operation),
    rest_endpoint: routeOf(operation),
  }))
}

function toolsOf(operation: keyof Operations): string[] {
  return Object.entries(tools)
    .filter(([, tool]) => tool.operation === operation)
    .map(([tool]) => tool)
}

/** The platform's own ERC-8004 identity. */
export function identityOf({ identityNetwork, platformAgentId, networks }: About): Json {
  const network = networks.find((one) => one.name === identityNetwork)
  return {
    standard: 'ERC-8004',
    agent_id: platformAgentId,
    network: identityNetwork,
    caip2: network?.caip2 ?? null,
    registry: network?.erc8004?.identity ?? null,
    reputation_registry: network?.erc8004?.reputation ?? null,
  }
}

/** A protocol that this deployment does not speak is null. */
export function protocolsOf({ baseUrl, mcpUrl }: Pick<About, 'baseUrl' | 'mcpUrl'>): {
  a2a: Json | null
  mcp: Json | null
  rest: Json
  websocket: Json | null
  docs: Json
} {
  const a2a = { url: `${baseUrl}${a2aPath}`, version: a2aVersion, agent_card: `${baseUrl}/.well-known/agent-card.json` }
  const mcp = {
    url: mcpUrl,
    version: toolProtocolVersion,
    transport: 'streamable-http',
    revisions: ['2026-07-28', '2025-11-25'],
    authentication: 'erc8128',
  }
  return {
    a2a,
    mcp,
    rest: { url: `${baseUrl}/api/v1`, version: 'v1', authentication: 'erc8128' },
    websocket: {
      url: `${baseUrl.replace(/^http/, 'ws')}/ws`,
      authentication: 'erc8128 in the auth frame, or a session cookie',
    },
    docs: { openapi: `${baseUrl}/openapi.json` },
  }
}

/** The agent card, in the shape of A2A 0.3.0. */
export function agentCard(about: About, offered: readonly WireSkill[]): Json {
  const url = `${about.baseUrl}${a2aPath}`
  const policy = `${about.baseUrl}/api/v1/auth/erc8128/info`
  return {
    protocolVersion: a2aVersion,
    name,
    description: tagline,
    url,
    preferredTransport: 'JSONRPC',
    // The main one again, and nothing that is not this protocol: REST and tools are in /api/v1/agent-info.
    additionalInterfaces: [{ url, transport: 'JSONRPC' }],
    // The same card to clients of 1.x, which speak to the first they know.
    supportedInterfaces: [
      { url, protocolBinding: 'JSONRPC', protocolVersion: '1.0', tenant: '' },
      { url, protocolBinding: 'JSONRPC', protocolVersion: a2aVersion, tenant: '' },
    ],
    version: about.version,
    provider: { organization: name, url: about.baseUrl },
    documentationUrl: `${about.baseUrl}/openapi.json`,
    capabilities: {
      streaming: true,
      pushNotifications: true,
      stateTransitionHistory: false,
      extendedAgentCard: true,
      extensions: [
        {
          uri: 'https://modelcontextprotocol.io',
          description: 'The same work as tools.',
          required: false,
          params: { url: about.mcpUrl, version: toolProtocolVersion },
        },
        {
          uri: 'https://eips.ethereum.org/EIPS/eip-8004',
          description: 'On-chain identity and reputation.',
          required: false,
          params: identityOf(about),
        },
        {
          uri: 'https://eips.ethereum.org/EIPS/eip-8128',
          description: 'Requests are signed by a wallet: every one that changes something.',
          required: false,
          params: { policy, nonce: `${about.baseUrl}/api/v1/auth/nonce` },
        },
      ],
    },
    // No scheme of OpenAPI is a signature over the request; its header is named for all of it.
    securitySchemes: {
      erc8128: {
        type: 'apiKey',
        in: 'header',
        name: 'Signature',
        apiKeySecurityScheme: { location: 'header', name: 'Signature' },
        description:
          'HTTP Message Signatures (RFC 9421) by an Ethereum wallet, with Signature-Input and Content-Digest, ' +
          `one signature a request. The policy in force: ${policy}`,
      },
    },
    security: [{}, { erc8128: [] }],
    securityRequirements: [{ schemes: {} }, { schemes: { erc8128: { list: [] } } }],
    supportsAuthenticatedExtendedCard: true,
    defaultInputModes: ['application/json', 'text/plain'],
    defaultOutputModes: ['application/json', 'text/plain'],
    skills: offered.map(({ id, name: title, description, rest_endpoint }) => ({
      id,
      name: title,
      description,
      tags: [rest_endpoint.split('/')[3] ?? 'market'],
    })),
  }
}
