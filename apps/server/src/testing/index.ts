// What a simulation builds a server of: the real adapters, over lines, clocks and chances of its own.
export { createChainReader, type ChainReader } from '../adapters/chain/chain-reader.ts'
export type { ChainLog } from '../adapters/chain/log-search.ts'
export { createRpc, RpcFault, type Rpc, type RpcAnswer, type RpcCall } from '../adapters/chain/rpc.ts'
export { createTreasuries, type Treasuries } from '../adapters/chain/treasuries.ts'
export type { ContractWallets } from '../adapters/contract-wallets.ts'
export {
  createFacilitatorClient,
  type FacilitatorAnswer,
  type FacilitatorClient,
} from '../adapters/facilitator/facilitator-client.ts'
export { HttpFault, type HttpAnswer, type HttpClient, type HttpExchange } from '../adapters/http/http-client.ts'
export { createIdentityRegistry } from '../adapters/identity.ts'
export { createServedNetworks, type ServedNetwork, type ServedNetworks } from '../adapters/networks.ts'
export { createPool, createPostgresStore } from '../adapters/postgres/index.ts'
export { serverSchema } from './server-schema.ts'
export { createRatingRelay } from '../adapters/ratings.ts'
export { createFacilitatedRail, type RailDeps } from '../adapters/rails/facilitated-rail.ts'
export { createPaymentSignatures } from '../adapters/signatures/payment-signatures.ts'
export type { Time } from '../surroundings/platform-time.ts'
// What whoever attacks a running service sends.
export { claimingHeic, spoilt, type Sample } from './hostile-files.ts'
export { film, heic } from './iso-files.ts'
export { withRandomSalt } from './random-salt.ts'
// What so many jobs leave behind in a database.
export { growHistory } from './aged/grow-history.ts'
export { firstLease, keepNoLeases } from '../adapters/postgres/lease-keeper.ts'
// The check of a token at the gate, for what it costs.
export { createAccounts } from '../dispatch/accounts.ts'
export { createBearers } from '../dispatch/bearers.ts'
export { createRefusedSignatures } from '../dispatch/refused-signatures.ts'
export { createBearerGrants } from '../dispatch/bearer-grants.ts'
