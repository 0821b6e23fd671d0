import { a2aVersion, asyncApiDocument, toolProtocolVersion, type About } from '@ergon/contract'
import { registrationFile } from '@ergon/protocols'
import type { FastifyInstance } from 'fastify'
import { name, tagline } from './api/present/agent-card.ts'
import type { Config } from './config/config.ts'
import { addDocuments } from './transports/documents.ts'
import { addLargeDocument } from './transports/large-documents.ts'
import { addWellKnown } from './transports/well-known.ts'

export type DocumentsConfig = Pick<
  Config,
  'baseUrl' | 'mcpUrl' | 'securityContact' | 'platformAgentId' | 'identityNetwork' | 'networks'
>
type Deps = { readonly config: DocumentsConfig; readonly now: () => Date }

/** The documents for programs, and the files at places that standards name. */
export function wireDocuments(server: FastifyInstance, about: About, { config, now }: Deps): void {
  addDocuments(server, about)
  addLargeDocument(server, '/asyncapi.json', 'application/json; charset=utf-8', () =>
    JSON.stringify(asyncApiDocument(about)),
  )
  const { baseUrl, securityContact } = config
  addWellKnown(server, { baseUrl, securityContact, registration: registrationOf(config), now })
}

/** The platform's own agent, as its registry links to it; the same file proves that the domain is its (ERC-8004). */
function registrationOf({
  baseUrl,
  mcpUrl,
  platformAgentId,
  identityNetwork,
  networks,
}: DocumentsConfig): ReturnType<typeof registrationFile> | null {
  const network = networks.find((one) => one.network.name === identityNetwork)
  const registry = network?.network.erc8004?.identity
  if (platformAgentId === null || network === undefined || registry === undefined) return null
  return registrationFile({
    name,
    description: tagline,
    image: `${baseUrl}/icons/icon-512.png`,
    services: [
      { name: 'web', endpoint: baseUrl },
      { name: 'A2A', endpoint: `${baseUrl}/.well-known/agent-card.json`, version: a2aVersion },
      { name: 'MCP', endpoint: `${mcpUrl}/mcp/`, version: toolProtocolVersion },
      { name: 'OpenAPI', endpoint: `${baseUrl}/openapi.json` },
    ],
    x402Support: true,
    registrations: [{ agentId: platformAgentId, chainId: network.chainId, registry }],
  })
}
