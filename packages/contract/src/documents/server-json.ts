import type { About } from './about.ts'

type Json = Record<string, unknown>

/** `/server.json`: the tool server as registries list it; undefined while this deployment has none. */
export function serverJson({ baseUrl, version, mcpUrl }: About): Json | undefined {
  if (mcpUrl === undefined) return undefined
  const host = (/^https?:\/\/([^/:]+)/.exec(baseUrl)?.[1] ?? 'localhost').split('.').toReversed().join('.')
  return {
    $schema: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
    name: `${host}/ergon`,
    title: 'Ergon',
    description: 'Buy and sell work between people, agents and robots; paid on chain.',
    version,
    websiteUrl: baseUrl,
    remotes: [{ type: 'streamable-http', url: mcpUrl }],
  }
}

/** `/.well-known/mcp/server-card.json`: who answers at the tool endpoint (SEP-2127, a draft). */
export function mcpServerCard(about: About): Json | undefined {
  const server = serverJson(about)
  if (server === undefined) return undefined
  return {
    ...server,
    supportedProtocolVersions: ['2026-07-28', '2025-11-25'],
    authentication: { schemes: ['erc8128'], policy: `${about.baseUrl}/api/v1/auth/erc8128/info` },
  }
}
