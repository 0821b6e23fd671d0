/**
 * Who may import whom inside the server, by folder of its source; the files beside the folders wire them together and
 * may import all. The import rules read this, and a test compares it with the folders and with ARCHITECTURE.md.
 */
exports.folders = {
  surroundings: [],
  dispatch: ['surroundings'],
  sessions: ['dispatch', 'config', 'surroundings'],
  config: ['dispatch', 'sessions'],
  events: ['dispatch'],
  live: ['dispatch'],
  delivery: ['events', 'surroundings'],
  webhooks: ['delivery', 'dispatch', 'surroundings'],
  adapters: ['config', 'surroundings'],
  sockets: ['dispatch', 'surroundings'],
  web: ['config'],
  api: ['dispatch', 'sessions', 'events', 'live', 'webhooks', 'surroundings'],
  transports: ['dispatch', 'sessions', 'events', 'sockets', 'web'],
  workers: ['surroundings'],
}
