// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {PaymentInfo} from "./PaymentInfo.sol";

/// @notice Brings a payer's coins into a token store, each collector by its own kind of permission.
interface ITokenCollector {
    enum CollectorType { Payment, Refund }

    function collectorType() external view returns (CollectorType);
    function collectTokens(PaymentInfo calldata info, address tokenStore, uint256 amount, bytes calldata data) external;
}
