// Who may import whom: ARCHITECTURE.md in the form a machine can refuse. Each rule says why; tools/imports.test.ts
// feeds each one a violation and expects it to bite.

const tests = '([.]test[.]tsx?$|/test/|/testing/)'
const nouns = `(${require('./packages/core/nouns.cjs').nouns.join('|')})`
const { folders } = require('./apps/server/folders.cjs')
const ours = '^(packages|apps|bench|simulation|tools)/'

/** A package that may lean only on the named packages of ours. */
function leansOn(name, folder, allowed, comment) {
  const known = [folder, ...allowed].map((path) => `^${path}/`)
  return {
    name,
    severity: 'error',
    comment,
    from: { path: `^${folder}/`, pathNot: tests },
    to: { path: ours, pathNot: known },
  }
}

/** A folder of the server that may import only the named folders beside it. */
function staysWithin([folder, allowed]) {
  return {
    name: `server-${folder}`,
    severity: 'error',
    comment: `apps/server/folders.cjs says whom ${folder} may import; what ties two folders together is wired beside them.`,
    from: { path: `^apps/server/src/${folder}/`, pathNot: tests },
    to: { path: '^apps/server/src/', pathNot: [folder, ...allowed].map((name) => `^apps/server/src/${name}/`) },
  }
}

module.exports = {
  forbidden: [
    leansOn(
      'contract-is-alone',
      'packages/contract',
      [],
      'What the service says is data that anybody may load: it leans on nothing of ours.',
    ),
    {
      name: 'contract-needs-only-typebox',
      severity: 'error',
      comment: 'The contract is schemas. Whatever else it loaded, every client would load too.',
      from: { path: '^packages/contract/src/', pathNot: tests },
      to: { dependencyTypesNot: ['local', 'type-only'], pathNot: 'node_modules/typebox/' },
    },
    leansOn(
      'protocols-are-alone',
      'packages/protocols',
      [],
      'What others specified knows no marketplace, so that any suite of vectors can drive it.',
    ),
    leansOn(
      'chain-rpc-knows-no-marketplace',
      'packages/chain-rpc',
      ['packages/protocols'],
      'Nodes are asked, and logs are searched for, the same way by whoever does it.',
    ),
    leansOn('process-is-alone', 'packages/process', [], 'A process of a machine knows nothing of what it serves.'),
    leansOn(
      'oauth-is-alone',
      'packages/oauth',
      ['packages/protocols'],
      'Authorization for wallets knows neither the marketplace nor where its rows are kept: both come in through ports.',
    ),
    leansOn(
      'channels-are-alone',
      'packages/channels',
      ['packages/protocols'],
      'A channel is rules and bytes that a buyer, a worker and the service compute alike: it knows no marketplace.',
    ),
    leansOn(
      'channel-program-is-alone',
      'packages/channel-program',
      [],
      'A program is bytes and how they are made: it leans on nothing of ours.',
    ),
    leansOn(
      'solana-ledger-is-an-adapter',
      'packages/solana-ledger',
      ['packages/channel-program', 'packages/channels', 'packages/protocols'],
      'A ledger carries transactions of anybody: it knows no marketplace.',
    ),
    leansOn(
      'contracts-are-alone',
      'packages/contracts',
      ['packages/protocols'],
      'The chain code knows the protocols it implements and nothing of the service.',
    ),
    leansOn(
      'core-borrows-words-only',
      'packages/core',
      ['packages/contract'],
      'The domain runs alone: the contract lends it words, nobody else lends it anything.',
    ),
    {
      name: 'core-imports-contract-types-only',
      severity: 'error',
      comment:
        'A value imported from the contract would make the domain need its schemas at run time; facts need none.',
      from: { path: '^packages/core/src/', pathNot: tests },
      to: {
        path: '^packages/contract/',
        pathNot: '^packages/contract/src/facts/index[.]ts$',
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'facts-need-nothing',
      severity: 'error',
      comment:
        'Facts of the contract are loaded by the core too: they import no package and no schema (decision 0108).',
      from: { path: '^packages/contract/src/facts/' },
      to: { pathNot: '^packages/contract/src/facts/' },
    },
    {
      name: 'core-has-no-runtime-dependency',
      severity: 'error',
      comment: 'No package and no Node builtin: transport, driver, clock and randomness come in through ports.',
      from: { path: '^packages/core/src/', pathNot: tests },
      to: { path: ['node_modules/', '^node:'], pathNot: '^packages/' },
    },
    {
      name: 'core-has-no-builtin',
      severity: 'error',
      comment: 'The same for what Node brings along.',
      from: { path: '^packages/core/src/', pathNot: tests },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'nouns-are-pure',
      severity: 'error',
      comment: 'Rules can be tested without a database because they cannot reach a port or a flow.',
      from: { path: `^packages/core/src/${nouns}/`, pathNot: tests },
      to: { path: '^packages/core/src/(ports/|flows/|views/|(create-)?market)' },
    },
    leansOn(
      'sdk-is-a-client',
      'packages/sdk',
      ['packages/channels', 'packages/contract', 'packages/protocols'],
      'A client sees the contract, the protocols and the channels it pays from, never the service behind them.',
    ),
    leansOn(
      'web-is-a-client',
      'apps/web',
      ['packages/contract', 'packages/protocols', 'packages/sdk'],
      'The app for people goes through the client like any other.',
    ),
    {
      name: 'features-stand-apart',
      severity: 'error',
      comment: 'What two features share belongs to components or lib; a screen puts features together.',
      from: { path: '^apps/web/src/features/([^/]+)/' },
      to: { path: '^apps/web/src/(features/(?!$1/)|routes/)' },
    },
    {
      name: 'components-serve-features',
      severity: 'error',
      comment: 'A component is what features share: it knows none of them.',
      from: { path: '^apps/web/src/(components|lib)/' },
      to: { path: '^apps/web/src/(features|routes)/' },
    },
    leansOn(
      'cli-is-a-client',
      'packages/cli',
      ['packages/contract', 'packages/contracts', 'packages/protocols', 'packages/sdk'],
      'The command line goes through the client; of the chain code it borrows the faucet of the local chain.',
    ),
    {
      name: 'browser-safe',
      severity: 'error',
      comment:
        'Contract, protocols, channels and client run in a browser; a Node builtin may sit only behind an import condition (native.ts).',
      from: { path: '^packages/(contract|protocols|channels|sdk)/src/', pathNot: [tests, '/native[.]ts$'] },
      to: { dependencyTypes: ['core'] },
    },
    leansOn(
      'facilitator-serves-anybody',
      'apps/facilitator',
      ['packages/chain-rpc', 'packages/channels', 'packages/process', 'packages/protocols', 'packages/solana-ledger'],
      'Any x402 client can use the facilitator: it knows payments, not tasks.',
    ),
    leansOn(
      'gateway-serves-anybody',
      'apps/gateway',
      ['packages/channels', 'packages/process', 'packages/protocols', 'packages/solana-ledger'],
      'Any client of the session scheme can pay through the gateway: it knows channels and calls, not tasks.',
    ),
    leansOn(
      'server-leans-inward',
      'apps/server',
      [
        ...['packages/chain-rpc', 'packages/channels', 'packages/contract', 'packages/core', 'packages/oauth'],
        ...['packages/process', 'packages/protocols', 'packages/solana-ledger'],
      ],
      'The service never reaches for the local chain, the client or the facilitator: it speaks HTTP to the last.',
    ),
    {
      name: 'parsers-stand-apart',
      severity: 'error',
      comment:
        'Files of strangers are parsed in processes of their own (decision 0091): only the script of those loads what parses.',
      from: {
        path: '^apps/server/src/',
        pathNot: [
          tests,
          '^apps/server/src/adapters/inspector/(parser|inspect-bytes|metadata-blocks|read-exif|tiff-fields)[.]ts$',
          '^apps/server/src/adapters/storage/clean/',
        ],
      },
      to: {
        path: [
          '^apps/server/src/adapters/inspector/(inspect-bytes|metadata-blocks|read-exif|tiff-fields)[.]ts$',
          '^apps/server/src/adapters/storage/clean/',
          'node_modules/sharp/',
        ],
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'transports-carry',
      severity: 'error',
      comment: 'A transport gathers fields and hands them to dispatch; it neither decides nor stores.',
      from: { path: '^apps/server/src/transports/', pathNot: tests },
      to: { path: '^packages/core/' },
    },
    {
      name: 'adapters-serve-ports',
      severity: 'error',
      comment: 'An adapter fills a port of the core; it knows neither who calls nor why.',
      from: { path: '^apps/server/src/adapters/', pathNot: tests },
      to: { path: '^packages/core/src/flows/' },
    },
    ...Object.entries(folders).map(staysWithin),
    {
      name: 'front-doors-only',
      severity: 'error',
      comment: 'A package is what its front door exports; a path into its source ties two packages together silently.',
      from: { path: '^((?:packages|apps)/[^/]+|bench|simulation|tools)/' },
      to: {
        path: '^(packages|apps)/[^/]+/',
        pathNot: [
          '^$1/',
          '^(packages|apps)/[^/]+/src/(index|main)[.]ts$',
          '^(packages|apps)/[^/]+/src/testing/',
          '^packages/contract/src/(wire|facts)/index[.]ts$',
        ],
      },
    },
    {
      name: 'no-cycles',
      severity: 'error',
      comment: 'Two files that need each other are one file, or need a third.',
      from: { path: ours },
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'no-test-in-source',
      severity: 'error',
      comment: 'What ships does not lean on what proves it.',
      from: { path: ours, pathNot: [tests, '^packages/dev-env/', '^bench/', '^simulation/', '[.]config[.]ts$'] },
      to: { path: tests, pathNot: 'node_modules' },
    },
    {
      name: 'no-dev-dependency-in-source',
      severity: 'error',
      comment: 'A package that is only there for tests and the build is not there in production.',
      from: {
        path: '^(packages|apps)/[^/]+/src/',
        pathNot: [tests, '^packages/contracts/tools/', '^apps/web/src/[a-z]+-plugin/'],
      },
      to: {
        dependencyTypes: ['npm-dev'],
        dependencyTypesNot: ['type-only', 'npm', 'npm-optional', 'npm-peer'],
        pathNot: '^packages/',
      },
    },
    {
      name: 'everything-resolves',
      severity: 'error',
      comment: 'An import that finds nothing fails here rather than at start.',
      from: { path: ours },
      to: { couldNotResolve: true },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: ['[.]cache/', '[.]ergon/', '/dist/'] },
    tsPreCompilationDeps: true,
    detectProcessBuiltinModuleCalls: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default'],
      extensions: ['.ts', '.tsx', '.js', '.json', '.node', '.cjs', '.mjs'],
      mainFields: ['main', 'types'],
    },
  },
}
