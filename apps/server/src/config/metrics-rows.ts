/** Where the figures are told, rows of the settings page. */
export const metricsRows = [
  {
    name: 'SVC_METRICS_PORT',
    default: 'none: no figures are told',
    says: 'Port of a listener of its own on which Prometheus reads /metrics.',
  },
  {
    name: 'SVC_METRICS_HOST',
    default: '127.0.0.1',
    says: 'Address of that listener. One that others reach needs SVC_METRICS_TOKEN.',
  },
  {
    name: 'SVC_METRICS_TOKEN',
    default: 'none',
    says: 'What Prometheus sends as its bearer token; at least 32 characters.',
    secret: true,
  },
  { name: 'SVC_METRICS_TOKEN_FILE', default: 'none', says: 'A file with that token, instead of it.' },
] as const
