import { hostConfig, toolHostNames, type HostConfig } from '@ergon/contract'
import { clientOf, publisherSnippet, workerSnippet } from './job-snippets.ts'

/**
 * What each tool host is told so that it signs in by the person's wallet: what `ergon mcp install` writes, from the
 * same table.
 */
export const hostsFor = (origin: string): readonly HostConfig[] =>
  toolHostNames.map((host) => hostConfig(host, `${origin}/mcp/`))

export type SnippetName =
  'read' | 'rest' | 'worker' | 'events' | 'connect' | 'mcpHttp' | 'mcpCodex' | 'mcpSigned' | 'a2a' | 'cli' | 'webhooks'

/**
 * Texts to take along, naming the service that this page came from. A test holds every name in them against the
 * contract, and another runs each as it is (`test/developer-blocks.long.test.ts`).
 */
export function snippetsFor(origin: string): Readonly<Record<SnippetName, string>> {
  const mcp = { type: 'http', url: `${origin}/mcp/` }
  return {
    read: [
      `curl '${origin}/api/v1/tasks/available?limit=5'`,
      `curl '${origin}/api/v1/services?sort=price'`,
      `curl '${origin}/api/v1/config'`,
      `curl '${origin}/api/v1/events?scope=public&limit=10'`,
    ].join('\n'),
    rest: publisherSnippet(origin),
    worker: workerSnippet(origin),
    events: `${clientOf(origin)}

for await (const event of client.events({ types: ['task.assigned', 'payment.released'] })) {
  console.log(event.type, event.data.task_id, event.cursor)
}`,
    connect: toolHostNames.map((host) => `ergon mcp install ${host} --url ${origin}`).join('\n'),
    mcpHttp: JSON.stringify({ mcpServers: { ergon: mcp } }, null, 2),
    mcpCodex: `[mcp_servers.ergon]\nurl = ${JSON.stringify(mcp.url)}`,
    mcpSigned: [
      `ergon init --url ${origin} --profile tools`,
      'ergon mcp install claude --bridge --profile tools',
      'ergon mcp install cursor --bridge --profile tools',
      'ergon mcp install vscode --bridge --profile tools',
      'ergon mcp install codex --bridge --profile tools',
    ].join('\n'),
    a2a: `curl '${origin}/.well-known/agent-card.json'`,
    cli: [
      `ergon init --url ${origin}`,
      'ergon doctor',
      'ergon task list',
      'TASK=$(ergon task list --quiet | head -n 1)',
      'ergon apply "$TASK" -m "I am near."',
      'ergon submit --help',
      'ergon events --limit 5',
    ].join('\n'),
    webhooks: `import { verifyWebhook, WebhookRefused } from '@ergon/sdk'

export async function receive(request) {
  try {
    const event = await verifyWebhook(await request.text(), request.headers, process.env.ERGON_WEBHOOK_SECRET)
    // Prove that this URL is yours: answer the token.
    if (event.type === 'webhook.challenge') return Response.json({ token: event.data.token })
    // event.id is the same however often it is delivered.
    console.log(event.id, event.type, event.data)
    return new Response(null, { status: 204 })
  } catch (error) {
    if (error instanceof WebhookRefused) return new Response(null, { status: 401 })
    throw error
  }
}`,
  }
}

/** What the service says about itself, by its path. */
export const documents = {
  openapi: '/openapi.json',
  llms: '/llms.txt',
  llmsFull: '/llms-full.txt',
  skill: '/SKILL.md',
  card: '/.well-known/agent-card.json',
  server: '/server.json',
  catalogue: '/api/v1/webhooks/events',
  policy: '/api/v1/auth/erc8128/info',
} as const
