import { Client, type ClientCapabilities } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { binary, type Terminal } from '../binary.ts'

export type Answer = {
  readonly isError?: boolean
  readonly structuredContent?: Readonly<Record<string, unknown>>
  readonly content: readonly { readonly type: string; readonly text?: string }[]
  readonly _meta?: Readonly<Record<string, unknown>>
}
/** What the person at the host answers to a question. */
export type Person = (question: string) => Promise<boolean | 'closed'> | boolean | 'closed'

/** A tool host: the public client, unmodified, that starts the bridge and shows its person what it is asked. */
export type Host = AsyncDisposable & {
  readonly asked: readonly string[]
  readonly client: Client
  call(tool: string, args?: Readonly<Record<string, unknown>>): Promise<Answer>
}

export type HostOptions = {
  readonly revision?: 'newest' | 'before'
  /** Without one the host cannot ask its person. */
  readonly person?: Person
}

export async function openHost(
  terminal: Terminal,
  profile: string,
  { revision = 'newest', person }: HostOptions = {},
): Promise<Host> {
  const asked: string[] = []
  const capabilities: ClientCapabilities = person === undefined ? {} : { elicitation: { form: {} } }
  const client = new Client(
    { name: 'a host', version: '1' },
    { capabilities, ...(revision === 'newest' ? { versionNegotiation: { mode: 'auto' } } : {}) },
  )
  if (person !== undefined)
    client.setRequestHandler('elicitation/create', async ({ params }) => {
      asked.push(params.message)
      const said = await person(params.message)
      return said === 'closed' ? { action: 'cancel' } : { action: 'accept', content: { sign: said } }
    })
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [binary, 'mcp', 'serve', '--profile', profile],
    env: { ...terminal.env },
    stderr: 'inherit',
  })
  await client.connect(transport)
  return {
    asked,
    client,
    // Tools here answer structured content.
    call: async (name, args = {}) =>
      (await client.callTool({ name, arguments: { ...args } }, { timeout: 120_000 })) as Answer,
    [Symbol.asyncDispose]: () => client.close(),
  }
}

/** The body of an answer that succeeded. */
export function bodyOf(answer: Answer): Readonly<Record<string, unknown>> {
  if (answer.isError === true || answer.structuredContent === undefined)
    throw new Error(`a tool refused: ${JSON.stringify(answer.content)}`)
  return answer.structuredContent
}

/** What the bridge says beside an answer. */
export function bridgeSays(answer: Answer): string {
  return answer.content
    .map(({ text = '' }) => text)
    .filter((text) => /^The (wallet|bridge)/.test(text))
    .join('\n')
}
