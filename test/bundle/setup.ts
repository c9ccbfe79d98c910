/** Runs before each file of this folder. */
import { aroundEach } from 'vitest'
import { running } from '../service.ts'

aroundEach((runTest, test) => running.run(test, runTest))
