import { createServer } from 'node:http'
import { toNodeHandler } from '@modelcontextprotocol/node'
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server'
import * as z from 'zod'

/** The least that a tool server built on the SDK is: one tool, made as its guide says, open to anyone. */
const port = Number(process.env['BARE_TOOLS_PORT'])
if (!(port > 0)) throw new Error('set BARE_TOOLS_PORT')
const answer = { status: 'healthy', version: '0.1.0', timestamp: '2026-11-21T00:00:00.000Z' }
const handler = createMcpHandler(() => {
  const server = new McpServer({ name: 'bare', version: '1' })
  server.registerTool(
    'svc_server_status',
    {
      title: 'Server status',
      description: 'Whether it answers.',
      inputSchema: z.object({}),
      outputSchema: z.object({ status: z.string(), version: z.string(), timestamp: z.string() }),
    },
    () => ({ content: [{ type: 'text', text: JSON.stringify(answer) }], structuredContent: answer }),
  )
  return server
})
const handle = toNodeHandler(handler)
const server = createServer((request, response) => {
  if (request.url === '/health') response.end('{}')
  // Their type forbids what Node's says about an absent method.
  else void handle(request as Parameters<typeof handle>[0], response)
})
const stop = (): void => {
  server.close(() => process.exit())
}
process.once('SIGTERM', stop)
process.once('disconnect', () => process.exit())
server.listen(port, '127.0.0.1')
