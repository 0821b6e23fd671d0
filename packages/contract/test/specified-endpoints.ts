/** Every REST endpoint that the specification names, transcribed by hand; placeholders keep the names it gives them. */
export const specifiedEndpoints = {
  'Tasks': [
    'GET /api/v1/tasks', 'GET /api/v1/tasks/available', 'POST /api/v1/tasks', 'GET /api/v1/tasks/{id}', 'PUT /api/v1/tasks/{id}', 'DELETE /api/v1/tasks/{id}',
    'POST /api/v1/tasks/{id}/cancel', 'POST /api/v1/tasks/{id}/apply', 'POST /api/v1/tasks/{id}/assign', 'GET /api/v1/tasks/{id}/applications',
    'POST /api/v1/tasks/{id}/submit', 'GET /api/v1/tasks/{id}/submissions', 'POST /api/v1/tasks/{id}/approve', 'POST /api/v1/tasks/{id}/reject', 'GET /api/v1/tasks/{id}/escrow',
  ],
  'Submissions': [
    'GET /api/v1/submissions', 'GET /api/v1/submissions/{id}', 'POST /api/v1/submissions/{id}/approve', 'POST /api/v1/submissions/{id}/reject',
    'POST /api/v1/submissions/{id}/dispute', 'GET /api/v1/submissions/{id}/evidence',
  ],
  'Workers': [
    'GET /api/v1/workers', 'GET /api/v1/workers/{id}', 'POST /api/v1/workers/register', 'PUT /api/v1/workers/{id}',
    'GET /api/v1/workers/{id}/tasks', 'GET /api/v1/workers/{id}/earnings', 'GET /api/v1/workers/{id}/reputation',
  ],
  'Escrow and payments': [
    'GET /api/v1/escrow/{task_id}', 'POST /api/v1/escrow/{task_id}/refund', 'GET /api/v1/escrow/health', 'GET /api/v1/escrow/task/{task_id}/reclaim', 'GET /api/v1/escrow/task/{task_id}/lifecycle-challenge',
    'GET /api/v1/payments/{task_id}', 'GET /api/v1/payments/events/{task_id}', 'GET /api/v1/payments/networks', 'GET /api/v1/payments/fees',
  ],
  'Reputation': [
    'GET /api/v1/reputation/leaderboard', 'GET /api/v1/reputation/agents/{agent_id}', 'GET /api/v1/reputation/agents/{agent_id}/identity', 'GET /api/v1/reputation/identity/wallet/{wallet}',
    'GET /api/v1/reputation/wallet/{wallet}/cross-chain', 'GET /api/v1/reputation/publishers/{publisher_key}', 'GET /api/v1/reputation/em', 'GET /api/v1/reputation/feedback/{task_id}', 'GET /api/v1/reputation/networks',
    'POST /api/v1/reputation/relay/prepare', 'POST /api/v1/reputation/relay/submit', 'POST /api/v1/reputation/workers/rate', 'POST /api/v1/reputation/agents/rate', 'POST /api/v1/reputation/register',
  ],
  'Health, config, discovery': [
    'GET /api/v1/health', 'GET /api/v1/health/payments', 'GET /api/v1/health/identity', 'GET /api/v1/health/networks', 'GET /api/v1/config', 'GET /api/v1/auth/nonce', 'GET /api/v1/auth/erc8128/info',
    'GET /api/v1/auth/info', 'GET /api/v1/agent-info', 'GET /api/v1/skills', 'GET /.well-known/agent.json',
  ],
  'Services, h2a, streams, evidence': [
    'POST /api/v1/services', 'PATCH /api/v1/services/{id}', 'POST /api/v1/h2a/tasks', 'GET /api/v1/evidence/presign-upload', 'GET /api/v1/streams/session/{id}',
  ],
  'Solana channels': [
    'POST /api/v1/tasks/{task_id}/channel', 'POST /api/v1/tasks/{task_id}/tick', 'POST /api/v1/tasks/{task_id}/scan', 'GET /api/v1/tasks/{task_id}/meter', 'GET /api/v1/tasks/{task_id}/meter/stream',
    'GET /api/v1/tasks/{task_id}/channel/public', 'GET /api/v1/taximetro/{channel_id}/stream', 'GET /api/v1/taximetro/{channel_id}/history', 'PATCH /api/v1/account/solana-payout-address',
  ],
  'Account': ['GET /api/v1/account/export', 'GET /api/v1/account/paybox-link', 'DELETE /api/v1/account/paybox-link'],
  'Admin': [
    'GET /api/v1/admin/metrics', 'GET /api/v1/admin/tasks', 'PUT /api/v1/admin/tasks/{id}', 'GET /api/v1/admin/workers', 'PUT /api/v1/admin/workers/{id}/ban', 'POST /api/v1/admin/fees/sweep',
    'GET /api/v1/admin/config', 'PUT /api/v1/admin/config',
  ],
  'OAuth 2.1': [
    'GET /.well-known/oauth-protected-resource/mcp', 'GET /.well-known/oauth-protected-resource', 'GET /.well-known/oauth-authorization-server', 'POST /oauth/register', 'GET /oauth/authorize', 'POST /oauth/token', 'POST /oauth/revoke',
  ],
} as const satisfies Readonly<Record<string, readonly `${'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'} /${string}`[]>>

/** Whole folders that it names without saying what is in them; each must hold something. */
export const specifiedFolders = ['/api/v1/h2a', '/api/v1/streams'] as const
