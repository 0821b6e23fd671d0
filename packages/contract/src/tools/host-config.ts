type HostFile = {
  /** Below the person's home, or below the folder that is worked in. */
  readonly below: 'home' | 'folder'
  readonly path: string
}

/** Where a tool host keeps its servers, and what it keeps of one that it signs in to by itself. */
type ToolHost = {
  readonly title: string
  readonly file: HostFile
  /** The member of the file that holds the servers, by name. */
  readonly member: string
  /** What an entry has beside the address. */
  readonly entry: Readonly<Record<string, string>>
  /** The words of the host's own command, where it has one. */
  readonly command: ((url: string) => readonly string[]) | null
}

const name = 'ergon'

/** Tool hosts that find the authorization server by themselves: they need the address of the tools, and no key. */
const toolHosts = {
  claude: {
    title: 'Claude Code',
    file: { below: 'home', path: '.claude.json' },
    member: 'mcpServers',
    entry: { type: 'http' },
    command: (url) => ['claude', 'mcp', 'add', '--scope', 'user', '--transport', 'http', name, url],
  },
  cursor: {
    title: 'Cursor',
    file: { below: 'home', path: '.cursor/mcp.json' },
    member: 'mcpServers',
    entry: {},
    command: null,
  },
  vscode: {
    title: 'VS Code',
    file: { below: 'folder', path: '.vscode/mcp.json' },
    member: 'servers',
    entry: { type: 'http' },
    command: (url) => ['code', '--add-mcp', JSON.stringify({ name, type: 'http', url })],
  },
} as const satisfies Readonly<Record<string, ToolHost>>

export type ToolHostName = keyof typeof toolHosts
export const toolHostNames = Object.keys(toolHosts) as readonly ToolHostName[] // the keys of a constant object

/** How a host is told of the tools. */
export type HostConfig = {
  readonly title: string
  readonly file: HostFile
  readonly member: string
  /** The name that the entry goes by. */
  readonly name: string
  readonly entry: Readonly<Record<string, string>>
  /** The whole file, where nothing else is in it. */
  readonly text: string
  /** One line for a shell; null where the host has no command for it. */
  readonly command: string | null
}

/** What makes a host sign in for the tools at an address, by the person's wallet (spec §5, OAuth). */
export function hostConfig(host: ToolHostName, url: string): HostConfig {
  const { title, file, member, entry: beside, command }: ToolHost = toolHosts[host]
  const entry = { ...beside, url }
  return {
    title,
    file,
    member,
    name,
    entry,
    text: JSON.stringify({ [member]: { [name]: entry } }, null, 2),
    command: command === null ? null : command(url).map(shellWord).join(' '),
  }
}

/** As a POSIX shell reads it back. */
function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
}
