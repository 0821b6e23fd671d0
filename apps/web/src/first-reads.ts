/**
 * What a screen asks the service for first, by its address as it is without filters: the page names it, and it is on
 * its way before the first script has run. A test holds that each is then asked for once.
 */
export const firstReads: Readonly<Record<string, readonly string[]>> = {
  '/': ['/api/v1/tasks/available?target_executor_type=human&limit=3', '/api/v1/payments/fees', '/api/v1/auth/session'],
  '/find': [
    '/api/v1/tasks/available?target_executor_type=human&limit=25',
    '/api/v1/payments/fees',
    '/api/v1/auth/session',
  ],
}
