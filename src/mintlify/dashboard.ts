/** Mintlify's dashboard, where maintainers manage jobs and keys (Mintlify's docs). */
export const dashboardUrl = 'https://app.mintlify.com'
export const apiKeysUrl = `${dashboardUrl}/settings/organization/api-keys`
