import { CliError } from '../cli-error.ts'
import type { Command } from '../command.ts'
import { installInto, mcpClients, planInstall } from '../mcp-install.ts'
import { runBridge } from '../mcp-bridge.ts'
import { requireUrl } from '../session.ts'

const mcpUrl = { value: 'URL', about: 'Where the tool server is; /mcp/ of the service when left out.' }

export const mcpServe: Command = {
  words: ['mcp', 'serve'],
  about: 'Be a tool server on stdio: every request is signed with your wallet and carried to the service.',
  options: { 'mcp-url': mcpUrl },
  async run(call, session) {
    const { supported_chains } = await session.client().auth.signingPolicy()
    const chainId: unknown = Array.isArray(supported_chains) ? supported_chains[0] : undefined
    if (typeof chainId !== 'number')
      throw new CliError(
        'unavailable',
        'NO_CHAIN',
        'the signing policy of the service names no chain',
        'See ergon doctor.',
      )
    const url = requireUrl(call.text('mcp-url') ?? session.url())
    const count = await runBridge({
      url: `${url.replace(/\/mcp$/, '')}/mcp/`,
      signer: session.signer(),
      chainId,
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

export const mcpInstall: Command = {
  words: ['mcp', 'install'],
  about: 'Tell a client to start ergon mcp serve.',
  positionals: [{ name: 'client', about: `One of ${mcpClients.join(', ')}.` }],
  options: { 'dry-run': { about: 'Print what would be written.' } },
  examples: ['ergon mcp install claude --dry-run'],
  run(call, session) {
    const plan = planInstall(call.need('client'), { profile: session.profileName, env: session.env })
    session.profile()
    if (!call.is('dry-run')) installInto(plan)
    return Promise.resolve({
      data: { ...plan, written: !call.is('dry-run') },
      brief: plan.file,
      lines: [
        call.is('dry-run') ? `Would write ${plan.file}:` : `Wrote ${plan.file}:`,
        plan.text,
        ...(session.profile().signer === 'file' && session.env['ERGON_PASSPHRASE_FILE'] === undefined
          ? [
              'The client has no terminal to ask at: set ERGON_PASSPHRASE_FILE and install again, or use an outside signer.',
            ]
          : []),
      ],
    })
  },
}
