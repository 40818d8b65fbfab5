import { wantDriver } from '../../src/server/db/drivers';

/** Before each test file: SVC_SQLITE=node tests what is used where no module was compiled. */
wantDriver(process.env.SVC_SQLITE);
