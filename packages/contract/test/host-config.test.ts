import { expect, test } from 'vitest'
import { hostConfig, toolHostNames } from '@ergon/contract'

const url = 'https://tools.example/mcp/'

test('a host is told the address of the tools, and no key', () => {
  const told = toolHostNames.map((host) => [host, JSON.parse(hostConfig(host, url).text) as unknown])
  expect(Object.fromEntries(told)).toEqual({
    claude: { mcpServers: { ergon: { type: 'http', url } } },
    cursor: { mcpServers: { ergon: { url } } },
    vscode: { servers: { ergon: { type: 'http', url } } },
  })
})

test('the file of a host is where the host looks for it', () => {
  expect(toolHostNames.map((host) => Object.values(hostConfig(host, url).file).join(' '))).toEqual([
    'home .claude.json',
    'home .cursor/mcp.json',
    'folder .vscode/mcp.json',
  ])
})

test('a host with a command of its own has one line of it', () => {
  expect(toolHostNames.map((host) => hostConfig(host, url).command)).toEqual([
    'claude mcp add --scope user --transport http ergon https://tools.example/mcp/',
    null,
    `code --add-mcp '{"name":"ergon","type":"http","url":"https://tools.example/mcp/"}'`,
  ])
})
