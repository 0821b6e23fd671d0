import { resolve } from 'node:path'
import { styleText } from 'node:util'
import { defaultDataDir } from '../constellation/data-folder.ts'
import type { ConstellationRecord } from '../constellation/record.ts'

const LABEL_WIDTH = 20

function row(label: string, value: string): string {
  return `    ${styleText('dim', label.padEnd(LABEL_WIDTH))}${value}`
}

function section(title: string, rows: readonly string[]): string {
  return [`  ${styleText('bold', title)}`, ...rows].join('\n')
}

/** Without its folder the command would forget what is kept elsewhere. */
function inItsFolder(dataDir: string): string {
  return dataDir === resolve(defaultDataDir) ? '' : `--data ${dataDir} `
}

/** What a newcomer sees once everything runs: where things are, with whom to play, what to try. */
export function startScreen(record: ConstellationRecord, readySec: number): string {
  const { serverUrl = '', facilitatorUrl = '', webUrl, faucetUrl, rpcUrl, chainId, solana } = record
  return [
    '',
    `  ${styleText(['bold', 'green'], 'Ergon is ready')} ${styleText('dim', `in ${readySec.toFixed(1)} s, payments in mode ${record.paymentMode}`)}`,
    '',
    ...(webUrl === undefined ? [] : [section('Open in a browser', [row('the app', styleText('bold', webUrl))]), '']),
    section('Services', [
      row('marketplace', serverUrl),
      row('API description', `${serverUrl}/openapi.json`),
      row('facilitator', facilitatorUrl),
      ...(faucetUrl === undefined ? [] : [row('faucet', `${faucetUrl}/fund`)]),
      row('local chain', `${rpcUrl}  (chain id ${String(chainId)})`),
      ...(solana === undefined ? [] : [row('Solana ledger', `${solana.rpcUrl}  (USDC ${solana.mint})`)]),
      row('data and logs', record.dataDir),
    ]),
    '',
    section(
      'Contracts on the local chain',
      Object.entries(record.addresses).map(([name, address]) => row(name, address)),
    ),
    '',
    section('Test wallets, 1,000 test dollars each; their keys are public', [
      ...record.wallets
        .slice(0, 2)
        .map(({ address, privateKey }, index) =>
          row(`wallet ${String(index + 1)}`, `${address}\n${row('', styleText('dim', privateKey))}`),
        ),
      row('more', `${record.dataDir}/constellation.json`),
    ]),
    '',
    section('Try next', [
      row('the whole job', 'npm run demo'),
      row('the command line', 'docs/guides/command-line.md'),
      row('open tasks', `curl ${serverUrl}/api/v1/tasks/available`),
      row('what is supported', `curl ${facilitatorUrl}/supported`),
      row('begin anew', `npm start -- ${inItsFolder(record.dataDir)}--reset`),
    ]),
    '',
    styleText('dim', '  Ctrl-C stops everything; what happened is kept for the next start.'),
    '',
  ].join('\n')
}
