// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {ITokenCollector} from "./ITokenCollector.sol";
import {PaymentInfo} from "./PaymentInfo.sol";
import {SafeToken} from "./SafeToken.sol";

interface IEscrowHash {
    function getHash(PaymentInfo calldata info) external view returns (bytes32);
}

interface IReceiveWithAuthorization {
    function receiveWithAuthorization(
        address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce,
        bytes calldata signature
    ) external;
}

/// @notice Collects by a signed EIP-3009 authorization. Its nonce is the payment's hash without the payer, so the
/// signature covers every term of the payment. The data is the bare signature, of any length (ERC-1271).
contract Eip3009Collector is ITokenCollector {
    address public immutable authCaptureEscrow;

    error OnlyAuthCaptureEscrow();

    constructor(address escrow) {
        authCaptureEscrow = escrow;
    }

    function collectorType() external pure returns (CollectorType) {
        return CollectorType.Payment;
    }

    /// @notice Pulls the signed `maxAmount`, forwards `amount` and gives the rest back at once.
    function collectTokens(PaymentInfo calldata info, address tokenStore, uint256 amount, bytes calldata data) external {
        if (msg.sender != authCaptureEscrow) revert OnlyAuthCaptureEscrow();
        IReceiveWithAuthorization(info.token).receiveWithAuthorization(
            info.payer, address(this), info.maxAmount, 0, info.preApprovalExpiry, _payerAgnosticHash(info), data
        );
        if (info.maxAmount > amount) SafeToken.send(info.token, info.payer, info.maxAmount - amount);
        SafeToken.send(info.token, tokenStore, amount);
    }

    function _payerAgnosticHash(PaymentInfo memory info) private view returns (bytes32) {
        info.payer = address(0);
        return IEscrowHash(authCaptureEscrow).getHash(info);
    }
}
