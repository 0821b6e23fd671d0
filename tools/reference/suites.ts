/** What a suite does not look at, or is helped with. What it finds red is in the report of its run. */
type Remark = {
  readonly what: string
  readonly why: string
  /** A file and words in it: when they are gone, so is the remark. None where the reason lies outside this tree. */
  readonly seen?: readonly [file: string, words: string]
}

/** A program, suite or document of others that judges this service, and where. */
export type Suite = {
  readonly name: string
  /** Packages as `package.json` names them; none for what no package carries. */
  readonly packages: readonly string[]
  readonly ran: string
  readonly tests: readonly string[]
  readonly notSeen: readonly Remark[]
}

const mcp: readonly Suite[] = [
  {
    name: 'Conformance suite of MCP, server side',
    packages: ['@modelcontextprotocol/conformance'],
    ran: 'everything the suite has for a server, of both revisions; what it requires has to be green',
    tests: ['apps/server/test/mcp/conformance.test.ts'],
    notSeen: [
      {
        what: 'Tools, prompts and resources that only the suite knows',
        why: 'It asks a server for fixtures by name; a setting adds them, and no deployment sets it.',
        seen: ['apps/server/test/mcp/conformance.test.ts', "SVC_MCP_CONFORMANCE: '1'"],
      },
      {
        what: 'Calls pass a proxy that signs them',
        why: 'The suite cannot sign a request; what it reads and says is unchanged.',
        seen: ['apps/server/test/mcp/conformance.test.ts', 'startSigningProxy'],
      },
    ],
  },
  {
    name: 'The same suite, authorization server',
    packages: ['@modelcontextprotocol/conformance'],
    ran: 'metadata and the authorization code grant, of both revisions, with no warning',
    tests: ['apps/server/test/oauth/conformance.test.ts'],
    notSeen: [],
  },
  {
    name: 'Public clients of MCP',
    packages: ['@modelcontextprotocol/client', '@modelcontextprotocol/sdk'],
    ran: 'a whole job by tools in both revisions and by the first SDK; signing in by OAuth; the bridge over stdio',
    tests: [
      'apps/server/test/mcp/clients.test.ts',
      'apps/server/test/mcp/for-hosts.test.ts',
      'apps/server/test/oauth/tool-clients.test.ts',
      'apps/web/test/connect-guide.long.test.ts',
      'packages/cli/test/streams.long.test.ts',
      'packages/cli/test/bridge-guide.long.test.ts',
    ],
    notSeen: [],
  },
]

const a2a: readonly Suite[] = [
  {
    name: 'Public client of A2A 0.3',
    packages: ['@a2a-js/sdk'],
    ran: 'a whole job from the card alone: send, stream, resubscribe, cancel, push; many tasks at once',
    tests: [
      'apps/server/test/a2a/client.test.ts',
      'apps/server/test/a2a/card.test.ts',
      'apps/server/test/a2a/blocking.test.ts',
      'apps/server/test/a2a/load.test.ts',
      'apps/server/test/a2a/push.long.test.ts',
    ],
    notSeen: [],
  },
  {
    name: 'Public client of A2A 1.x',
    packages: ['a2a-sdk-1'],
    ran: 'as it is installed, over 1.x: read, follow, talk, act and cancel; and with its layer for 0.3 switched on',
    tests: ['apps/server/test/a2a/newer-client.test.ts'],
    notSeen: [],
  },
  {
    name: 'Compatibility kit of A2A, its mandatory points',
    packages: [],
    ran: "tests of ours, written from the protocol's text",
    tests: ['apps/server/test/a2a/wire.test.ts', 'apps/server/test/a2a/card.test.ts'],
    notSeen: [
      {
        what: 'The kit itself',
        why: 'It is a program in Python that no package of npm carries, so no build of ours installs it.',
      },
    ],
  },
]

const oauth: readonly Suite[] = [
  {
    name: 'Public clients of OAuth 2.1',
    packages: ['oauth4webapi', 'openid-client'],
    ran: 'discovery, registration, authorization with PKCE, refresh, revocation and the token as a JWT (RFC 9068)',
    tests: ['apps/server/test/oauth/clients.test.ts'],
    notSeen: [
      {
        what: 'Over https',
        why: 'Tests run on loopback; the clients are told that http is meant.',
        seen: ['apps/server/test/oauth/clients.test.ts', 'allowInsecureRequests'],
      },
    ],
  },
]

const documents: readonly Suite[] = [
  {
    name: 'redocly lint, OpenAPI and AsyncAPI',
    packages: ['@redocly/cli'],
    ran: '/openapi.json, each section of it, and /asyncapi.json, with their examples',
    tests: ['apps/server/test/http/generated-clients.long.test.ts'],
    notSeen: [
      {
        what: 'no-path-trailing-slash',
        why: 'The specification has the alias POST /api/v1/webhooks/.',
        seen: ['redocly.yaml', 'no-path-trailing-slash: off'],
      },
    ],
  },
  {
    name: 'Requests made of the printed OpenAPI',
    packages: [],
    ran: '2,000 of them, good, changed and hostile, as both roles, a person, nobody and the operator; 15,000 by a setting: no status, type or field that is not declared',
    tests: ['apps/server/test/openapi/declared.long.test.ts'],
    notSeen: [],
  },
  {
    name: 'openapi-typescript',
    packages: ['openapi-typescript'],
    ran: 'types with the names of the resources',
    tests: ['apps/server/test/http/generated-clients.long.test.ts'],
    notSeen: [
      {
        what: 'Its own version of the compiler',
        why: 'It asks for TypeScript 5 and runs with ours.',
        seen: ['package.json', '"typescript": "$typescript"'],
      },
    ],
  },
  {
    name: '@hey-api/openapi-ts',
    packages: ['@hey-api/openapi-ts'],
    ran: 'a client is made of the document, and does a whole job',
    tests: ['apps/server/test/http/generated-clients.long.test.ts'],
    notSeen: [],
  },
  {
    name: 'SKILL.md and llms.txt',
    packages: [],
    ran: 'a program that knows their notation alone plays every printed route in both roles, on a real chain',
    tests: [
      'packages/dev-env/src/guides/skill-file.long.test.ts',
      'packages/dev-env/src/guides/signing-recipe.test.ts',
    ],
    notSeen: [],
  },
  {
    name: "The developers' page of the app",
    packages: [],
    ran: 'every block, as it is copied',
    tests: ['apps/web/test/developer-blocks.long.test.ts'],
    notSeen: [],
  },
  {
    name: 'The guides',
    packages: [],
    ran: 'every block of code of every page, as its reader runs it',
    tests: [
      'packages/dev-env/src/guides/code-blocks.test.ts',
      'packages/dev-env/src/guides/first-task-guide.long.test.ts',
      'packages/dev-env/src/guides/webhooks-guide.long.test.ts',
      'packages/cli/test/guide.long.test.ts',
      'packages/cli/test/bridge-guide.long.test.ts',
      'apps/web/test/connect-guide.long.test.ts',
    ],
    notSeen: [
      {
        what: 'Blocks that take minutes, need the settings of a deployment, or start everything',
        why: 'A comment above each says which, and what runs the same instead; a test holds it to that.',
        seen: ['docs/guides/operators.md', '<!-- not run: it needs the settings of a deployment'],
      },
    ],
  },
]

const payments: readonly Suite[] = [
  {
    name: 'Public clients of x402, EVM',
    packages: ['@x402/core', '@x402/evm'],
    ran: 'supported, verify and settle of the facilitator; what the client of auth-capture signs is taken by the escrow',
    tests: [
      'apps/facilitator/test/direct.test.ts',
      'apps/facilitator/test/node-trouble.test.ts',
      'apps/facilitator/test/solana.test.ts',
      'packages/contracts/test/interop.test.ts',
    ],
    notSeen: [
      {
        what: 'Spend controls of the client',
        why: 'They know real tokens only, and the local chain has its own.',
        seen: ['apps/facilitator/test/direct.test.ts', 'spendControls: false'],
      },
    ],
  },
  {
    name: 'Public client and facilitator of x402, Solana',
    packages: ['@x402/svm', '@solana/kit'],
    ran: 'channels that either side opens are read by the other; a direct payment lands; messages, addresses and signatures',
    tests: [
      'packages/channels/test/oracles.test.ts',
      'packages/solana-ledger/test/direct-payment.test.ts',
      'packages/solana-ledger/test/front.test.ts',
      'apps/facilitator/test/solana.test.ts',
    ],
    notSeen: [
      {
        what: 'A validator',
        why: 'The ledger of the tests is embedded: the same virtual machine without votes and gossip.',
        seen: ['packages/solana-ledger/package.json', '"litesvm"'],
      },
    ],
  },
  {
    name: 'viem as a wallet',
    packages: ['viem'],
    ran: 'hashes, typed data, signatures and domains that we make are those that it makes',
    tests: [
      'packages/protocols/test/vectors.test.ts',
      'packages/protocols/test/typed-data.test.ts',
      'packages/sdk/test/signers.test.ts',
    ],
    notSeen: [],
  },
]

const signatures: readonly Suite[] = [
  {
    name: 'Reference package of ERC-8128',
    packages: ['@slicekit/erc8128'],
    ran: 'what its client signs is verified',
    tests: ['packages/protocols/test/http-signature/accepts.test.ts'],
    notSeen: [],
  },
  {
    name: 'Published vectors of RFC 9421',
    packages: [],
    ran: 'signature bases of appendix B',
    tests: ['packages/protocols/test/http-signature/published.test.ts'],
    notSeen: [],
  },
  {
    name: 'http_ece, messages of Web Push',
    packages: ['http_ece'],
    ran: 'opens what the service seals for a browser',
    tests: ['apps/server/test/push/push.test.ts'],
    notSeen: [],
  },
  {
    name: 'Standard Webhooks',
    packages: ['standardwebhooks'],
    ran: 'deliveries of the service, of the command line and of the client library are verified by its library',
    tests: [
      'apps/server/test/http/webhooks.test.ts',
      'apps/server/test/webhooks/deliveries.test.ts',
      'packages/cli/test/streams.long.test.ts',
      'packages/sdk/test/verify-webhook.test.ts',
    ],
    notSeen: [],
  },
]

const packaging: readonly Suite[] = [
  {
    name: 'publint',
    packages: ['publint'],
    ran: 'the tarballs of contract, protocols, sdk and cli, strictly',
    tests: ['apps/server/test/sdk/packages.long.test.ts'],
    notSeen: [],
  },
  {
    name: 'are the types wrong',
    packages: ['@arethetypeswrong/cli'],
    ran: 'the tarballs of contract, protocols and sdk',
    tests: ['apps/server/test/sdk/packages.long.test.ts'],
    notSeen: [
      {
        what: 'Resolution of before 2021, and a module that is required',
        why: 'The packages are modules; Node 22 and later require them.',
        seen: ['apps/server/test/sdk/packages.long.test.ts', "kind !== 'NoResolution' && kind !== 'CJSResolvesToESM'"],
      },
    ],
  },
  {
    name: 'pmtiles, the reader of the format',
    packages: ['pmtiles'],
    ran: 'the archive of the world that comes with the app, tile by tile',
    tests: ['apps/web/src/world-plugin/pmtiles-file.test.ts', 'apps/web/src/world-plugin/world-file.test.ts'],
    notSeen: [],
  },
  {
    name: 'axe and Lighthouse, on the app',
    packages: ['axe-core', 'lighthouse'],
    ran: 'WCAG 2.2 AA on the screens; accessibility and best practices of first loads',
    tests: ['apps/web/test/accessible.long.test.ts', 'apps/web/test/lighthouse.long.test.ts'],
    notSeen: [
      {
        what: "Lighthouse's score for performance",
        why: 'Shared cores give a different score each time; the bytes of a first load are bounded instead.',
        seen: ['apps/web/test/lighthouse.long.test.ts', 'scores at least 95 in accessibility and best practices'],
      },
    ],
  },
]

/** Every judge of the service that is not the service, in the order of the page. */
export const suites: readonly Suite[] = [
  ...mcp,
  ...a2a,
  ...oauth,
  ...documents,
  ...payments,
  ...signatures,
  ...packaging,
]
