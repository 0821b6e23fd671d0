import { randomBytes } from 'node:crypto'
import {
  createRequestStateCodec,
  inputRequired,
  inputResponse,
  ProtocolError,
  ProtocolErrorCode,
  type GetPromptResult,
  type InputRequiredResult,
  type ReadResourceResult,
  type Server,
  type ServerContext,
} from '@modelcontextprotocol/server'
import type { Fixtures, Message } from '../fixtures.ts'
import { fixtureTools, image } from './fixture-tools.ts'

type Json = Readonly<Record<string, unknown>>

const described = 'A fixture of the conformance suite.'
const strings = (...names: string[]): Json => ({
  type: 'object',
  properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])),
  ...(names.length === 0 ? {} : { required: names }),
})
const schemas: Readonly<Record<string, Json>> = {
  test_sampling: strings('prompt'),
  test_elicitation: strings('message'),
}

const user = (text: string): GetPromptResult['messages'][number] => ({ role: 'user', content: { type: 'text', text } })
const prompts: Readonly<
  Record<
    string,
    {
      readonly arguments: readonly string[]
      readonly get: (
        given: Readonly<Record<string, string>>,
        ctx: ServerContext,
      ) => GetPromptResult | InputRequiredResult
    }
  >
> = {
  test_simple_prompt: { arguments: [], get: () => ({ messages: [user('This is a simple prompt for testing.')] }) },
  test_prompt_with_arguments: {
    arguments: ['arg1', 'arg2'],
    get: ({ arg1, arg2 }) => ({
      messages: [user(`Prompt with arguments: arg1='${arg1 ?? ''}', arg2='${arg2 ?? ''}'`)],
    }),
  },
  test_prompt_with_embedded_resource: {
    arguments: ['resourceUri'],
    get: ({ resourceUri }) => ({
      messages: [
        {
          role: 'user',
          content: {
            type: 'resource',
            resource: {
              uri: resourceUri ?? '',
              mimeType: 'text/plain',
              text: 'Embedded resource content for testing.',
            },
          },
        },
        user('Please process the embedded resource above.'),
      ],
    }),
  },
  test_prompt_with_image: {
    arguments: [],
    get: () => ({
      messages: [
        { role: 'user', content: { type: 'image', data: image, mimeType: 'image/png' } },
        user('Please analyze the image above.'),
      ],
    }),
  },
  test_input_required_result_prompt: {
    arguments: [],
    get: (_given, ctx) =>
      inputResponse(ctx.mcpReq.inputResponses, 'user_context').kind === 'missing'
        ? inputRequired({
            inputRequests: {
              user_context: inputRequired.elicit({
                message: 'What context should the prompt use?',
                requestedSchema: { type: 'object', properties: { context: { type: 'string' } }, required: ['context'] },
              }),
            },
          })
        : { messages: [user('A prompt with context.')] },
  },
}

function read(uri: string): ReadResourceResult {
  if (uri === 'test://static-text')
    return { contents: [{ uri, mimeType: 'text/plain', text: 'This is the content of the static text resource.' }] }
  if (uri === 'test://static-binary') return { contents: [{ uri, mimeType: 'image/png', blob: image }] }
  if (uri === 'test://watched-resource') return { contents: [{ uri, mimeType: 'text/plain', text: 'Watched.' }] }
  const id = /^test:\/\/template\/([^/]+)\/data$/.exec(uri)?.[1]
  if (id === undefined) throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'There is no such resource.', { uri })
  return {
    contents: [
      {
        uri,
        mimeType: 'application/json',
        text: JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` }),
      },
    ],
  }
}

/**
 * What the conformance suite asks of any server beside what this one is for; only where SVC_MCP_CONFORMANCE is 1
 * (decision 0064).
 */
export function createFixtures(): Fixtures {
  const codec = createRequestStateCodec<string>({ key: randomBytes(32) })
  // A client of 2025 answers in a request of its own, which no server object of that request knows.
  let asked: Server | undefined
  return {
    tools: Object.keys(fixtureTools).map((name) => ({
      name,
      description: described,
      inputSchema: schemas[name] ?? { type: 'object' },
    })),
    prompts: Object.entries(prompts).map(([name, prompt]) => ({
      name,
      description: described,
      arguments: prompt.arguments.map((argument) => ({ name: argument, description: described, required: true })),
    })),
    resources: ['test://static-text', 'test://static-binary', 'test://watched-resource'].map((uri) => ({
      uri,
      name: uri.slice(7),
      title: uri.slice(7),
      description: described,
      mimeType: uri.endsWith('binary') ? 'image/png' : 'text/plain',
    })),
    templates: [
      {
        uriTemplate: 'test://template/{id}/data',
        name: 'template',
        title: 'template',
        description: described,
        mimeType: 'application/json',
      },
    ],
    options: { capabilities: { logging: {}, resources: { subscribe: true } }, requestState: { verify: codec.verify } },
    serve(server, { method, params }) {
      const named = params['name'] ?? params['uri']
      const name = typeof named === 'string' ? named : ''
      const fixture = method === 'tools/call' ? fixtureTools[name] : undefined
      const prompt = method === 'prompts/get' ? prompts[name] : undefined
      if (fixture !== undefined) {
        asked = server
        server.setRequestHandler('tools/call', (request, ctx) =>
          fixture(request.params.arguments ?? {}, { ctx, codec, capabilities: { ...server.getClientCapabilities() } }),
        )
      } else if (prompt !== undefined)
        server.setRequestHandler('prompts/get', (request, ctx) => prompt.get(request.params.arguments ?? {}, ctx))
      else if (method === 'resources/read' && name.startsWith('test://'))
        server.setRequestHandler('resources/read', () => read(name))
      else if (method === 'resources/subscribe') server.setRequestHandler('resources/subscribe', () => ({}))
      else if (method === 'resources/unsubscribe') server.setRequestHandler('resources/unsubscribe', () => ({}))
      else return false
      return true
    },
    receive(message: Message) {
      const transport = asked?.transport
      if (message.method !== '' || transport?.onmessage === undefined) return
      // A JSON-RPC response, as a client of 2025 posts it; the protocol layer reads it strictly.
      transport.onmessage(message.value as never)
    },
  }
}
