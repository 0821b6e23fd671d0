import { readToolsets, toolHostNames, toolsetNames, toolsetsParameter } from '@ergon/contract'
import { CliError, usageError } from '../cli-error.ts'
import type { Call, Command } from '../command.ts'
import { bridgeClients, installInto, planBridge, planHost } from '../mcp-install.ts'
import { runBridge } from '../mcp-bridge.ts'
import { limitsOf, recordOf, signingNetworks } from '../signing-limits.ts'
import { requireUrl, type Session } from '../session.ts'

const mcpUrl = { value: 'URL', about: 'Where the tool server is; /mcp/ of the service when left out.' }

const toolSets = {
  value: 'SETS',
  about: `List these tools alone, separated by commas: ${toolsetNames.join(', ')}. A model reads each list anew.`,
}

export const mcpServe: Command = {
  words: ['mcp', 'serve'],
  about:
    'Be a tool server on stdio: every request is signed with your wallet and carried to the service. What a tool asks ' +
    'the wallet to pay is signed after you said yes, within ergon mcp limits.',
  options: { 'mcp-url': mcpUrl, tools: toolSets },
  async run(call, session) {
    const signer = session.signer()
    const count = await runBridge({
      url: toolEndpoint(call, session),
      signer,
      chainId: (ended) => firstChain(session, ended),
      signing: {
        signer,
        networks: signingNetworks(session.profile()),
        limits: () => limitsOf(session.profile()),
        record: recordOf(session),
        now: () => Math.floor(Date.now() / 1_000),
      },
      input: process.stdin,
      write: (line) => {
        session.emit(line)
      },
      stopped: session.stopped,
    })
    // Stdout belongs to the protocol alone.
    session.progress(`${String(count)} messages carried`)
    return { data: { messages: count }, lines: [] }
  },
}

async function firstChain(session: Session, signal: AbortSignal): Promise<number> {
  const { supported_chains } = await session.client().auth.signingPolicy({}, { signal })
  const chainId: unknown = Array.isArray(supported_chains) ? supported_chains[0] : undefined
  if (typeof chainId === 'number') return chainId
  throw new CliError('unavailable', 'NO_CHAIN', 'the signing policy of the service names no chain', 'See ergon doctor.')
}

export const mcpInstall: Command = {
  words: ['mcp', 'install'],
  about: 'Tell a tool host where the tools are; it signs in by your wallet, and no key is in its settings.',
  positionals: [
    { name: 'host', about: `One of ${toolHostNames.join(', ')}; with --bridge one of ${bridgeClients.join(', ')}.` },
  ],
  options: {
    'mcp-url': mcpUrl,
    tools: toolSets,
    bridge: { about: 'Have it start ergon mcp serve, which signs with the wallet of the profile.' },
    print: { about: 'Show what would be written, and write nothing.' },
  },
  examples: [
    'ergon mcp install claude --print',
    'ergon mcp install cursor --url http://127.0.0.1:8080',
    'ergon mcp install codex --bridge --tools publish,services',
  ],
  run(call, session) {
    const [host, isBridge, isShown] = [call.need('host'), call.is('bridge'), call.is('print')]
    if (isBridge && call.text('mcp-url') !== undefined)
      throw usageError('--mcp-url has no effect with --bridge', 'ergon mcp serve --mcp-url takes it.')
    const plan = isBridge
      ? planBridge(host, { profile: session.profileName, env: session.env, tools: setsOf(call) })
      : planHost(host, toolEndpoint(call, session), session.env)
    const hints = isBridge ? bridgeHints(session) : ['The host opens its sign-in when it first connects.']
    if (!isShown) installInto(plan)
    return Promise.resolve({
      data: { ...plan, written: !isShown },
      brief: plan.file,
      lines: [`${isShown ? 'Would write' : 'Wrote'} ${plan.file}:`, plan.text, ...hints],
    })
  },
}

/** With its slash, as the specification has it, and the sets that are asked for. */
function toolEndpoint(call: Call, session: Session): string {
  const url = requireUrl(call.text('mcp-url') ?? session.url())
  const sets = setsOf(call)
  return `${url.replace(/\/mcp$/, '')}/mcp/${sets === undefined ? '' : `?${toolsetsParameter}=${sets}`}`
}

/** @throws CliError on a set that there is not */
function setsOf(call: Call): string | undefined {
  const text = call.text('tools')
  const unknown = text === undefined ? undefined : readToolsets(text).unknown
  if (unknown === undefined) return text
  throw usageError(`there are no tools ${unknown}`, `There are: ${toolsetNames.join(', ')}.`)
}

/** @throws CliError when there is no profile */
function bridgeHints(session: Session): readonly string[] {
  const asksAlone = session.profile().signer === 'file' && session.env['ERGON_PASSPHRASE_FILE'] === undefined
  return asksAlone
    ? ['The client has no terminal to ask at: set ERGON_PASSPHRASE_FILE and install again, or use an outside signer.']
    : []
}
