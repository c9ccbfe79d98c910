/** Where a maintainer looks after jobs and keys at Mintlify (Mintlify's docs). */
export const dashboardUrl = 'https://app.mintlify.com'
export const apiKeysUrl = `${dashboardUrl}/settings/organization/api-keys`
